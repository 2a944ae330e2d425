/*
summary = "The compared columns of a table as keys compare them: exactly, whatever their type."
part = true
run.materialized = false
tables = ["relation"]
*/
SELECT
  this_record AS record,
  each(compared, key_value(this_column))
FROM relation
