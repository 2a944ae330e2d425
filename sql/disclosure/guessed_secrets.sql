/*
summary = "For every real record and secret: whether the guess of one attack is right, and what else is said of it."
part = true
tables = ["synthetic", "train", "holdout?"]

[parameters]
attack = { type = "text", default = "nearest", doc = "as in attribute_inference" }
tolerance = { type = "number", default = 0.05, doc = "as in attribute_inference" }
*/
SELECT position, side, hit, default_hit, tie_fair, CAST(NULL AS INTEGER) AS others_hit
FROM inferred(synthetic := synthetic, train := train, holdout := holdout, tolerance := $tolerance)
WHERE $attack = 'nearest'

UNION ALL

SELECT
  position,
  side,
  CASE WHEN hit THEN 1 ELSE 0 END AS hit,
  CASE WHEN usual_hit THEN 1 ELSE 0 END AS default_hit,
  CAST(NULL AS DOUBLE) AS tie_fair,
  CASE WHEN others_hit THEN 1 ELSE 0 END AS others_hit
FROM learned_secrets(synthetic := synthetic, train := train, holdout := holdout, tolerance := $tolerance)
WHERE $attack = 'learned'
