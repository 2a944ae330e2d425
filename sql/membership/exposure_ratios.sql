/*
summary = "How much more often people of each group are named than all others, with interval and adjusted p-value."
part = true
run.few = true

[parameters]
groups = { type = "relation", doc = "the rows of exposure_groups" }
*/
WITH numbered AS (
  SELECT
    groups.*,
    row_number() OVER (ORDER BY isolated, column_name, place) AS test,
    CAST(named AS DOUBLE) / people AS rate,
    CAST(all_named - named AS DOUBLE) / nullif(all_people - people, 0) AS rate_elsewhere
  FROM groups
),
tests AS (
  SELECT test, all_people AS population, all_named AS successes, people AS draws, named AS observed
  FROM numbered
),
tails AS (
  SELECT test, tail, count(*) OVER () AS tests, row_number() OVER (ORDER BY tail, test) AS place
  FROM hypergeometric(tests := tests)
),
adjusted AS (
  SELECT
    test,
    least(max(tail * (tests - place + 1)) OVER (ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), 1.0) AS p_adjusted
  FROM tails
),
-- A column may have the name of isolation, which comes last.
places AS (
  SELECT this_position AS position, this_name AS column_name, 0 AS isolated
  FROM each_column(common)

  UNION ALL

  SELECT 1000000 AS position, 'isolation' AS column_name, 1 AS isolated
),
-- The variance of the logarithm of the ratio.
spread AS (
  SELECT
    test,
    rate / rate_elsewhere AS ratio,
    exp(1.959963984540054 * sqrt((1 - rate) / named + (1 - rate_elsewhere) / (all_named - named))) AS factor
  FROM numbered
  WHERE named > 0 AND all_named > named
)
SELECT
  places.position, numbered.place, numbered.column_name, numbered.value,
  CAST(numbered.people AS BIGINT) AS people,
  CAST(numbered.named AS BIGINT) AS named,
  CAST(numbered.listed AS BIGINT) AS listed,
  numbered.rate,
  numbered.rate_elsewhere,
  CASE
    WHEN spread.ratio IS NOT NULL THEN spread.ratio
    WHEN numbered.rate_elsewhere IS NULL OR numbered.all_named = 0 THEN NULL
    WHEN numbered.named = 0 THEN 0.0
    ELSE CAST('Infinity' AS DOUBLE)
  END AS ratio,
  spread.ratio / spread.factor AS lower,
  spread.ratio * spread.factor AS upper,
  adjusted.p_adjusted
FROM numbered
JOIN places ON places.column_name = numbered.column_name AND places.isolated = numbered.isolated
LEFT JOIN adjusted ON adjusted.test = numbered.test
LEFT JOIN spread ON spread.test = numbered.test
