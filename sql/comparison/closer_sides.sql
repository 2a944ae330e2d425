/*
summary = "Whether each synthetic record is closer to train than to the holdout, or further, on the scale of train; neither in a quick evaluation."
part = true
tables = ["synthetic", "train", "holdout"]
*/
SELECT
  to_train.record,
  to_train.distance < to_holdout.distance AS closer,
  to_train.distance > to_holdout.distance AS further
FROM nearest(queries := synthetic, reference := train, train := train, k := 1) AS to_train
JOIN nearest(queries := synthetic, reference := holdout, train := train, k := 1) AS to_holdout
  ON to_holdout.record = to_train.record
WHERE $counted

UNION ALL

SELECT record, CAST(NULL AS BOOLEAN) AS closer, CAST(NULL AS BOOLEAN) AS further
FROM encoded(synthetic)
WHERE NOT $counted
