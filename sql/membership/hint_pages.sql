/*
summary = "One row: the columns of a table that the attack learned takes as features, as a list of pages; NULL without hints."
part = true
run.materialized = true
tables = ["relation"]
*/
SELECT
  list(chunks.page) FILTER (WHERE chunks.page IS NOT NULL) AS pages
FROM (
  SELECT
    synthpriv_page(rows.record, each(hints, rows.this_column)) AS page
  FROM hints(relation) AS rows
) AS chunks
WHERE $hints IS NOT NULL

UNION ALL

SELECT CAST(NULL AS BLOB[]) AS pages
WHERE $hints IS NULL
