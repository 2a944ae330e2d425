/*
summary = "The compared columns of a table as the kernel takes them, and the column that says whose each record is, where one is named."
part = true
materialized = false

[parameters]
relation = { type = "relation", doc = "a table" }
*/
SELECT
  this_record AS record,
  each(compared, encoded_value(this_column)),
  each(unit, own_value(this_column))
FROM relation
