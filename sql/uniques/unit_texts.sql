/*
summary = "The unit of each record of a table, as text."
part = true
materialized = false

[parameters]
relation = { type = "relation", doc = "a table" }
*/
SELECT record, CAST(person AS VARCHAR) AS person
FROM units(relation)
