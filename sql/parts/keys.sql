/*
summary = "Record numbers with the user's key."
part = true
run.materialized = false
tables = ["relation"]
*/
SELECT
  this_record AS record,
  each(key, own_value(this_column)) AS key
FROM relation
