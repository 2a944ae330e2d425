/*
summary = "One row: the number of records (or persons) of train and of the holdout, and of records of synthetic."
part = true
run.few = true
tables = ["synthetic?", "train", "holdout"]
*/
WITH units AS (
  SELECT CAST(sizes.train AS DOUBLE) AS train_units, CAST(sizes.synthetic AS DOUBLE) AS holdout_units
  FROM sizes(synthetic := holdout, train := train, holdout := synthetic) AS sizes
  WHERE $unit IS NULL

  UNION ALL

  SELECT
    CAST(count(DISTINCT CASE WHEN persons.side = 'train' THEN persons.person END) AS DOUBLE) AS train_units,
    CAST(count(DISTINCT CASE WHEN persons.side = 'holdout' THEN persons.person END) AS DOUBLE) AS holdout_units
  FROM persons(train := train, holdout := holdout) AS persons
  WHERE $unit IS NOT NULL
)
SELECT
  CAST(sizes.train AS DOUBLE) AS train,
  CAST(sizes.synthetic AS DOUBLE) AS holdout,
  CAST(sizes.holdout AS DOUBLE) AS synthetic,
  nullif(units.train_units, 0) AS train_units,
  nullif(units.holdout_units, 0) AS holdout_units
FROM units
CROSS JOIN sizes(synthetic := holdout, train := train, holdout := synthetic) AS sizes
