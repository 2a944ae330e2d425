/*
summary = "One row: the number of records of a table that equal a train record, and the number of all records."
part = true
run.few = true

[parameters]
queries = { type = "relation", doc = "the synthetic table, or the holdout" }
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
*/
SELECT count(*) AS n, count(*) FILTER (WHERE copies > 0) AS records
FROM copies(synthetic := queries, train := train)
