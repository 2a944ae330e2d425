/*
summary = "The distinct real records, with their count and their count in train, numbered in random order, independent of train."
part = true
run.materialized = true
tables = ["train", "holdout"]
*/
WITH firsts AS (
  SELECT
    min(everybody.record) AS first_record,
    count(*) AS alike,
    count(CASE WHEN everybody.record < sizes.members THEN 1 END) AS members,
    each(compared, everybody.this_column)
  FROM population(train := train, holdout := holdout) AS everybody
  CROSS JOIN (SELECT count(*) AS members FROM encoded(train)) AS sizes
  GROUP BY each(compared, everybody.this_column)
)
SELECT
  row_number() OVER (ORDER BY drawn(first_record, 0), first_record) - 1 AS record,
  first_record,
  alike,
  members,
  each(compared, this_column)
FROM firsts
