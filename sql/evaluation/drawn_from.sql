/*
summary = "How many records a table has that a sample can be drawn from; with unit, how many persons."
options = ["unit.unit"]
reads.units = ["data"]
part = true

[parameters]
data = { type = "relation", doc = "the table" }

[columns]
people = "BIGINT"
*/
SELECT count(*) AS people
FROM data
WHERE $unit IS NULL

UNION ALL

SELECT count(DISTINCT person) AS people
FROM units(data)
WHERE $unit IS NOT NULL
