/*
summary = "The compared columns of all tables in one, each row with an indicator column per table, and its record number there."
part = true
run.materialized = false
tables = ["synthetic", "train", "holdout?"]
*/
SELECT 1 AS synthetic, 0 AS train, 0 AS holdout, record, each(compared, this_column)
FROM encoded(synthetic)

UNION ALL

SELECT 0 AS synthetic, 1 AS train, 0 AS holdout, record, each(compared, this_column)
FROM encoded(train)

UNION ALL

SELECT 0 AS synthetic, 0 AS train, 1 AS holdout, record, each(compared, this_column)
FROM encoded(holdout)
WHERE $holdout IS NOT NULL
