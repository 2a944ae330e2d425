/*
summary = "How often each value of each sensitive column occurs in each equivalence class, and in the table."
part = true

[parameters]
data = { type = "relation", doc = "a table" }
*/
WITH cells AS (
  SELECT
    this_position AS position,
    this_role AS role,
    dense_rank() OVER (ORDER BY each(quasi_identifiers, raw_value(this_column))) AS class,
    -- Missing values come last.
    dense_rank() OVER (ORDER BY raw_value(this_column) IS NULL, raw_value(this_column)) - 1 AS place,
    count(*) AS n,
    sum(count(*)) OVER (PARTITION BY raw_value(this_column)) AS in_table,
    sum(count(*)) OVER () AS "rows"
  FROM each_column(compared, data)
  GROUP BY each(quasi_identifiers, raw_value(this_column)), raw_value(this_column)
)
SELECT
  position,
  role,
  class,
  place,
  n,
  CAST(in_table AS HUGEINT) AS in_table,
  CAST("rows" AS HUGEINT) AS "rows",
  CAST(sum(n) OVER (PARTITION BY position, class) AS HUGEINT) AS size,
  row_number() OVER (PARTITION BY position, class ORDER BY n DESC, place) AS frequency_rank
FROM cells
