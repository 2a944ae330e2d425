/*
summary = "One row: how many records of a table equal a train record, of how many."
part = true
few = true

[parameters]
queries = { type = "relation", doc = "the synthetic table, or the holdout" }
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
*/
SELECT count(*) AS n, count(*) FILTER (WHERE copies > 0) AS records
FROM copies(synthetic := queries, train := train)
