/*
summary = "The unit of each record of a table, as text."
part = true
run.materialized = false
tables = ["relation"]
*/
SELECT record, CAST(person AS VARCHAR) AS person
FROM units(relation)
