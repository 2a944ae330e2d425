/*
summary = "All columns that the tables share, compared or not, as keys compare them: exactly, whatever their type."
part = true
run.materialized = false
tables = ["relation"]
*/
SELECT
  this_record AS record,
  each(common, key_value(this_column))
FROM relation
WHERE $dialect = 'duckdb'

UNION ALL

-- Other databases compare numbers and times of different types themselves.
SELECT
  this_record AS record,
  each(common, raw_value(this_column))
FROM relation
WHERE $dialect <> 'duckdb'
