/*
summary = "Count, quantiles, mean and share at zero of the values of each comparison."
part = true

[parameters]
measured = { type = "relation", doc = "rows of comparison and value" }
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
  count(measured.value) AS n,
  min(measured.value) AS "min",
  quantile_cont(measured.value, 0.01) AS p01,
  quantile_cont(measured.value, 0.05) AS p05,
  quantile_cont(measured.value, 0.25) AS p25,
  quantile_cont(measured.value, 0.5) AS median,
  quantile_cont(measured.value, 0.75) AS p75,
  avg(measured.value) AS mean,
  max(measured.value) AS "max",
  avg(CASE WHEN measured.value = 0 THEN 1.0 WHEN measured.value IS NOT NULL THEN 0.0 END) AS share_zero
FROM comparisons
LEFT JOIN measured ON measured.comparison = comparisons.comparison
GROUP BY comparisons.comparison, comparisons.position
