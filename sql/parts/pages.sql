/*
summary = "One row: the encoded table as a list of pages, each a chunk of records in the kernel's binary format."
part = true
run.materialized = true
run.operator = "gathering"
tables = ["relation"]
*/
-- synthpriv_page returns the page of a chunk of rows on its first row, and NULL on the others.
SELECT
  list(chunks.page) FILTER (WHERE chunks.page IS NOT NULL) AS pages
FROM (
  SELECT
    synthpriv_page(rows.record, each(compared, rows.this_column)) AS page
  FROM encoded(relation) AS rows
) AS chunks
