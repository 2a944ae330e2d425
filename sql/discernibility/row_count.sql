/*
summary = "The number of rows of a table."
part = true

[parameters]
data = { type = "relation", doc = "the table" }

[columns]
rows = "BIGINT"
*/
SELECT count(*) AS "rows"
FROM data
