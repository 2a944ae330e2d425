/*
summary = "The columns that are not compared, unchanged, with record numbers."
part = true
run.materialized = false
tables = ["relation"]
*/
SELECT
  this_record AS record,
  each(left_out, own_value(this_column))
FROM relation
