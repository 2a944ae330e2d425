/*
summary = "One row: the keys of a table as a list of pages; pages does the same for distances."
part = true
run.materialized = true
tables = ["relation"]
*/
SELECT
  list(chunks.page) FILTER (WHERE chunks.page IS NOT NULL) AS pages
FROM (
  SELECT
    synthpriv_page(rows.record, each(compared, rows.this_column)) AS page
  FROM keyed(relation) AS rows
) AS chunks
WHERE $dialect = 'duckdb'

UNION ALL

-- Other engines read values once, with the encoding of distances, in which integers beyond 2 ** 53 may coincide.
SELECT pages
FROM pages(relation)
WHERE $dialect <> 'duckdb'
