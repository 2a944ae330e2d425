/*
summary = "The rows of synthetic (side 1), train (2) and holdout (3) in one table, with their compared columns unchanged."
part = true
run.materialized = true
tables = ["synthetic", "train", "holdout?"]
*/
SELECT 1 AS side, record, each(compared, this_column)
FROM raw(synthetic)

UNION ALL

SELECT 2 AS side, record, each(compared, this_column)
FROM raw(train)

UNION ALL

SELECT 3 AS side, record, each(compared, this_column)
FROM raw(holdout)
WHERE $holdout IS NOT NULL
