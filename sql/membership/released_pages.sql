/*
summary = "One row: the values of synthetic, or of all releases that a call is about, as pages; how many pages each has; and the columns that it lacks."
part = true
run.materialized = true
reads.compares = true
reads.unites = true
reads.vectors = true
tables = ["synthetic"]
*/
SELECT found.pages AS pages, CAST(NULL AS BIGINT[]) AS counts, CAST(NULL AS VARCHAR[][]) AS lacks, CAST(NULL AS VARCHAR[]) AS names
FROM pages(synthetic) AS found
WHERE $released IS NULL

UNION ALL

SELECT
  flatten(list(each_table.pages ORDER BY each_table.place)) AS pages,
  list(len(each_table.pages) ORDER BY each_table.place) AS counts,
  list(each_table.lacks ORDER BY each_table.place) AS lacks,
  list(each_table.release ORDER BY each_table.place) AS names
FROM (
  SELECT
    this_place_of AS place,
    this_name_of AS release,
    CAST(this_lacks AS VARCHAR[]) AS lacks,
    coalesce(found.pages, CAST([] AS BLOB[])) AS pages
  FROM each_release
  CROSS JOIN pages(relation := this_release) AS found
) AS each_table
WHERE $released IS NOT NULL
