/*
summary = "One row: the known columns of a table, then its secret ones, as a list of pages."
part = true
run.materialized = true
tables = ["relation"]
*/
SELECT
  list(chunks.page) FILTER (WHERE chunks.page IS NOT NULL) AS pages
FROM (
  SELECT
    synthpriv_page(rows.record, each(compared, rows.this_column), each(secrets, rows.this_column)) AS page
  FROM with_secrets(relation) AS rows
) AS chunks
