/*
summary = "The rows of train, synthetic and holdout with their quasi-identifiers and targets: texts unchanged, numbers as DOUBLE."
part = true
run.materialized = false
tables = ["synthetic", "train", "holdout?"]
*/
SELECT
  1 AS side,
  each(quasi_identifiers, raw_value(this_column)),
  each(categorical, raw_value(this_column)),
  each(numeric, encoded_value(this_column))
FROM train

UNION ALL

SELECT
  2 AS side,
  each(quasi_identifiers, raw_value(this_column)),
  each(categorical, raw_value(this_column)),
  each(numeric, encoded_value(this_column))
FROM synthetic

UNION ALL

SELECT
  3 AS side,
  each(quasi_identifiers, raw_value(this_column)),
  each(categorical, raw_value(this_column)),
  each(numeric, encoded_value(this_column))
FROM holdout
WHERE $holdout IS NOT NULL
