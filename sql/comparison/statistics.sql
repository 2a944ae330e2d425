/*
summary = "Count, quantiles, mean and share at zero of the values of each metric and comparison."
part = true
run.few = true

[parameters]
measured = { type = "relation", doc = "rows of metric, its position, comparison and value" }
*/
WITH largests AS (
  SELECT metric, comparison, max(value) AS largest
  FROM measured
  GROUP BY metric, comparison
),
beside_largest AS (
  SELECT measured.metric, measured.position, measured.comparison, measured.value, largests.largest
  FROM measured
  JOIN largests
    ON largests.metric = measured.metric AND largests.comparison = measured.comparison
)
SELECT
  metric,
  position,
  comparison,
  count(value) AS n,
  min(value) AS "min",
  quantile_cont(value, 0.01) AS p01,
  quantile_cont(value, 0.05) AS p05,
  quantile_cont(value, 0.25) AS p25,
  quantile_cont(value, 0.5) AS median,
  quantile_cont(value, 0.75) AS p75,
  exact_mean_up_to(value, largest) AS mean,
  max(value) AS "max",
  avg(CASE WHEN value = 0 THEN 1.0 WHEN value IS NOT NULL THEN 0.0 END) AS share_zero
FROM beside_largest
GROUP BY metric, position, comparison
