/*
summary = "All real records, train followed by the holdout, in the kernel's encoding: only the order may reveal the membership."
part = true
run.materialized = false
tables = ["train", "holdout?"]
*/
SELECT record, each(compared, this_column)
FROM encoded(train)

UNION ALL

SELECT
  record + (SELECT count(*) FROM encoded(train)) AS record,
  each(compared, this_column)
FROM encoded(holdout)
WHERE $holdout IS NOT NULL
