/*
summary = "The compared columns, unchanged, with record numbers."
part = true
materialized = false

[parameters]
relation = { type = "relation", doc = "a table" }
*/
SELECT
  this_record AS record,
  each(compared, own_value(this_column))
FROM relation
