/*
summary = "The compared columns of a table in the kernel's encoding, with the unit of each record, if there is one."
part = true
run.materialized = false
tables = ["relation"]
*/
SELECT
  this_record AS record,
  each(compared, encoded_value(this_column)),
  each(unit, own_value(this_column))
FROM relation
