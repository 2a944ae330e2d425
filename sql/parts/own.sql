/*
summary = "All columns of a table, unchanged, with record numbers."
part = true
run.materialized = false
tables = ["relation"]
*/
SELECT
  this_record AS record,
  each(own, own_value(this_column))
FROM relation
