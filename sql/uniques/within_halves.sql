/*
summary = "The rows that within compares: those of half of the real people (half 1), and pairs of a synthetic row (half 0) and a row of the other half (half 2)."
options = ["seed"]
part = true
run.materialized = true
tables = ["synthetic"]

[parameters]
real = { type = "relation", doc = "as in within" }
*/
WITH people AS (
  SELECT record, first_record, dense_rank() OVER (ORDER BY drawn(2 * first_record, $seed), first_record) AS place
  FROM first_records(real)
),
sides AS (
  SELECT record, first_record, 2 * place <= last_place - last_place % 2 AS asked
  FROM (SELECT *, max(place) OVER () AS last_place FROM people) AS numbered
),
others AS (
  SELECT record, row_number() OVER (ORDER BY drawn(2 * record, $seed), record) AS pair
  FROM sides
  WHERE NOT asked
),
fresh AS (
  SELECT record, row_number() OVER (ORDER BY drawn(2 * record + 1, $seed), record) AS pair
  FROM encoded(synthetic)
),
size AS (
  SELECT least((SELECT count(*) FROM others), (SELECT count(*) FROM fresh)) AS pairs
)
SELECT 1 AS half, record, first_record AS person, CAST(NULL AS BIGINT) AS pair
FROM sides
WHERE asked

UNION ALL

SELECT 2 AS half, others.record, CAST(NULL AS BIGINT) AS person, others.pair
FROM others
JOIN size ON others.pair <= size.pairs

UNION ALL

SELECT 0 AS half, fresh.record, CAST(NULL AS BIGINT) AS person, fresh.pair
FROM fresh
JOIN size ON fresh.pair <= size.pairs
