/*
summary = "The records of a table with their known and secret columns, as they are compared."
part = true
run.materialized = false
tables = ["relation"]
*/
SELECT
  this_record AS record,
  each(compared, encoded_value(this_column)),
  each(secrets, encoded_value(this_column))
FROM relation
