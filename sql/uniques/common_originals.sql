/*
summary = "All columns that the tables share, compared or not, with unchanged values; NaN, which means missing, as NULL."
part = true
run.materialized = false
tables = ["relation"]
*/
SELECT
  this_record AS record,
  each(common, raw_value(this_column))
FROM relation
