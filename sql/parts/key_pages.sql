/*
summary = "One row: the keys of a table as a list of pages, as pages gives those of distances."
part = true
materialized = true

[parameters]
relation = { type = "relation", doc = "a table" }
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

-- Elsewhere values are read once, as distances read them: whole numbers beyond 2 ** 53 may then meet.
SELECT pages
FROM pages(relation)
WHERE $dialect <> 'duckdb'
