/*
summary = "The share of real records that are closer to a synthetic record than to any other real one, compared with people who were not in the training data."
source = "Identifiability: Yoon, Drumright and van der Schaar, IEEE JBHI 24 (2020), with equal weights; interval: Wilson, JASA 22 (1927)."
options = ["distance"]
run.few = true
gives.number = "share"
example = { synthetic = "synthetic", train = "train", holdout = "holdout", exclude = ["id"], metric = "hamming" }
tables = ["synthetic", "train", "holdout?"]

[parameters]
holdout = { doc = "real rows that it never saw: the control" }

[columns]
n = "BIGINT, train records"
share = "DOUBLE, the share of them with a synthetic record nearer than the nearest other train record"
lower = "DOUBLE, lower end of the 95 % Wilson interval of share"
upper = "DOUBLE, upper end"
control = "DOUBLE, the share of holdout records with a synthetic record nearer than the nearest other holdout record; NULL without one"
excess = "DOUBLE, share - control"
*/
WITH outcomes AS (
  SELECT 'train' AS side, CASE WHEN to_other_table < to_own_table THEN 1 ELSE 0 END AS hit
  FROM nearer(records := train, others := synthetic, train := train)

  UNION ALL

  SELECT 'holdout' AS side, CASE WHEN to_other_table < to_own_table THEN 1 ELSE 0 END AS hit
  FROM nearer(records := holdout, others := synthetic, train := train)
  WHERE $holdout IS NOT NULL
)
SELECT n, share, lower, upper, control, excess
FROM share_beside_control(outcomes := outcomes)
WHERE (SELECT is_enough FROM enough_of_all(synthetic := synthetic, train := train, holdout := holdout, apart := true))
