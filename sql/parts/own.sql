/*
summary = "All columns of a table, unchanged, with record numbers."
part = true
materialized = false

[parameters]
relation = { type = "relation", doc = "a table" }
*/
SELECT
  this_record AS record,
  each(own, own_value(this_column))
FROM relation
