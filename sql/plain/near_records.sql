/*
summary = "No records with texts that are nearly those of people: they are compared by the kernel only."
part = true
run.stands_in = ["no kernel"]
tables = ["synthetic", "train", "holdout?"]
*/
SELECT CAST(NULL AS BIGINT) AS record, false AS is_near, CAST(NULL AS BIGINT) AS words
WHERE 1 = 0
