/*
summary = "The statistics of one metric, one row for each requested comparison, even without records."
part = true

[parameters]
measured = { type = "relation", doc = "rows of metric, comparison and value" }
*/
WITH comparisons AS (
  SELECT 'synthetic_train' AS comparison, 1 AS position
  UNION ALL
  SELECT 'holdout_train' AS comparison, 2 AS position WHERE $holdout IS NOT NULL
  UNION ALL
  SELECT 'train_train' AS comparison, 3 AS position
)
SELECT
  comparisons.comparison,
  comparisons.position,
  coalesce(found.n, 0) AS n,
  found."min",
  found.p01,
  found.p05,
  found.p25,
  found.median,
  found.p75,
  found.mean,
  found."max",
  found.share_zero
FROM comparisons
LEFT JOIN statistics(measured := measured) AS found ON found.comparison = comparisons.comparison
