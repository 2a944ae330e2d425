/*
summary = "Record numbers with the unit of each record."
part = true
run.materialized = false
tables = ["relation"]
*/
SELECT
  this_record AS record,
  each(unit, own_value(this_column)) AS person
FROM relation
