/*
summary = "The compared columns, unchanged, with record numbers."
part = true
run.materialized = false
tables = ["relation"]
*/
SELECT
  this_record AS record,
  each(compared, own_value(this_column))
FROM relation
