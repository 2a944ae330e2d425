/*
summary = "No records with texts that are nearly those of people: they are compared in DuckDB, and beside PostgreSQL."
part = true
run.stands_in = ["no kernel", "spark"]
tables = ["synthetic", "train", "holdout?"]
*/
SELECT CAST(NULL AS BIGINT) AS record, false AS is_near, CAST(NULL AS BIGINT) AS words
WHERE 1 = 0
