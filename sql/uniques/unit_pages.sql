/*
summary = "One row: the unit of each record of a table, as a list of pages; NULL without unit."
part = true
run.materialized = true
tables = ["relation"]
*/
SELECT
  list(chunks.page) FILTER (WHERE chunks.page IS NOT NULL) AS pages
FROM (
  SELECT
    synthpriv_page(rows.record, rows.person) AS page
  FROM unit_texts(relation) AS rows
) AS chunks
WHERE $unit IS NOT NULL

UNION ALL

SELECT CAST(NULL AS BLOB[]) AS pages
WHERE $unit IS NULL
