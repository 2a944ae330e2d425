/*
summary = "Every value of every record as a code: equal values of a column have the same code; missing values have one, too. Columns that a release lacks have no rows of it."
part = true
run.materialized = true
reads.compares = true
reads.unites = true
tables = ["synthetic", "train", "holdout?"]
*/
-- Real records are numbered as one table, train followed by the holdout.
WITH together AS (
  SELECT 1 AS real, record, each(compared, this_column)
  FROM raw(train)

  UNION ALL

  SELECT 1 AS real, record + (SELECT count(*) FROM raw(train)) AS record, each(compared, this_column)
  FROM raw(holdout)
  WHERE $holdout IS NOT NULL

  UNION ALL

  SELECT 0 AS real, record, each(compared, this_column)
  FROM raw(synthetic)
  WHERE $released IS NULL

  UNION ALL

  SELECT 0 AS real, found.record + this_place_of * 1099511627776 AS record, each(compared, found.this_column)
  FROM each_release
  CROSS JOIN raw(relation := this_release) AS found
  WHERE $released IS NOT NULL
)
SELECT
  together.real,
  together.record,
  this_position AS position,
  dense_rank() OVER (ORDER BY together.this_column) AS code
FROM each_column(compared, together)
WHERE this_weight > 0 AND (
  NOT $columns_differ OR $released IS NULL OR together.real = 1 OR NOT EXISTS (
    SELECT 1
    FROM absent_columns() AS absent
    WHERE absent.column_name = this_name AND together.record >= absent.first_number AND together.record < absent.next_number
  )
)
