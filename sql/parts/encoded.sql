/*
summary = "The compared columns of a table in the kernel's encoding: DOUBLE for numbers and times, VARCHAR for categories."
part = true
run.materialized = false
tables = ["relation"]
*/
SELECT
  this_record AS record,
  each(compared, encoded_value(this_column))
FROM relation
