/*
summary = "The compared columns with unchanged values; NaN, which means missing, as NULL."
part = true
run.materialized = false
tables = ["relation"]
*/
SELECT
  this_record AS record,
  each(compared, raw_value(this_column))
FROM relation
