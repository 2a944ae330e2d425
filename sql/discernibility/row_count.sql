/*
summary = "How many rows a table has."
part = true

[parameters]
data = { type = "relation", doc = "the table" }

[columns]
rows = "BIGINT"
*/
SELECT count(*) AS "rows"
FROM data
