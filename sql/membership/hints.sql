/*
summary = "The columns of a table that the attack learned takes as features, as numbers."
part = true
run.materialized = false
tables = ["relation"]
*/
SELECT
  this_record AS record,
  each(hints, CAST(own_value(this_column) AS DOUBLE))
FROM relation
