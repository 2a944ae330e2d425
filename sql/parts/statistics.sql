/*
summary = "Count, quantiles, mean and share at zero of the values of each metric and comparison."
part = true

[parameters]
measured = { type = "relation", doc = "rows of metric, comparison and value" }
*/
SELECT
  metric,
  comparison,
  count(value) AS n,
  min(value) AS "min",
  quantile_cont(value, 0.01) AS p01,
  quantile_cont(value, 0.05) AS p05,
  quantile_cont(value, 0.25) AS p25,
  quantile_cont(value, 0.5) AS median,
  quantile_cont(value, 0.75) AS p75,
  avg(value) AS mean,
  max(value) AS "max",
  avg(CASE WHEN value = 0 THEN 1.0 WHEN value IS NOT NULL THEN 0.0 END) AS share_zero
FROM measured
GROUP BY metric, comparison
