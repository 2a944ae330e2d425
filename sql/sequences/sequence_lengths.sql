/*
summary = "The number of persons by their number of rows with a time."
part = true
run.few = true
run.materialized = true
tables = ["relation"]

[parameters]
relation = { doc = "a table with several rows per person" }
*/
SELECT length, CAST(count(*) AS BIGINT) AS persons
FROM (SELECT person, count(*) AS length FROM placed(relation) GROUP BY person) AS counted
GROUP BY length
