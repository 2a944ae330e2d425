/*
summary = "Whose each record of a table is, as text."
part = true
materialized = false

[parameters]
relation = { type = "relation", doc = "a table" }
*/
SELECT record, CAST(person AS VARCHAR) AS person
FROM units(relation)
