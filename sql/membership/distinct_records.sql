/*
summary = "The distinct records of a table, numbered in the order of their first occurrence."
part = true
tables = ["relation"]
*/
WITH firsts AS (
  SELECT min(record) AS first_record, each(compared, this_column)
  FROM encoded(relation)
  GROUP BY each(compared, this_column)
)
SELECT
  row_number() OVER (ORDER BY first_record) - 1 AS record,
  first_record,
  each(compared, this_column)
FROM firsts
