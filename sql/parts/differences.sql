/*
summary = "How much closer synthetic comes to train than the baseline does, with score and band."
part = true
few = true

[parameters]
measured = { type = "relation", doc = "rows of metric, position, comparison and value" }
statistic = { type = "text", default = "median", doc = "what is compared: median or mean" }
*/
WITH statistics AS (
  SELECT
    metric,
    position,
    CASE $statistic
      WHEN 'median' THEN median(CASE WHEN comparison <> 'synthetic_train' THEN value END)
      ELSE avg(CASE WHEN comparison <> 'synthetic_train' THEN value END)
    END AS baseline_value,
    CASE $statistic
      WHEN 'median' THEN median(CASE WHEN comparison = 'synthetic_train' THEN value END)
      ELSE avg(CASE WHEN comparison = 'synthetic_train' THEN value END)
    END AS synthetic_value
  FROM measured
  -- With a holdout that is the baseline, else train within itself.
  WHERE comparison <> CASE WHEN $holdout IS NULL THEN 'holdout_train' ELSE 'train_train' END
  GROUP BY metric, position
),
differences AS (
  SELECT
    metric,
    position,
    baseline_value,
    synthetic_value,
    CASE WHEN baseline_value = synthetic_value THEN 0.0 ELSE baseline_value - synthetic_value END AS difference,
    CASE
      WHEN baseline_value = synthetic_value THEN 0.0
      WHEN baseline_value = 0 OR isinf(baseline_value) OR isinf(synthetic_value) THEN NULL
      ELSE 100.0 * (baseline_value - synthetic_value) / baseline_value
    END AS difference_percent
  FROM statistics
)
SELECT
  metric,
  position,
  CASE WHEN $holdout IS NULL THEN 'train' ELSE 'holdout' END AS baseline,
  baseline_value,
  synthetic_value,
  difference,
  difference_percent,
  100.0 - difference_percent AS privacy_score,
  CASE
    WHEN difference_percent < 0 THEN 100.0
    WHEN difference_percent > 100 THEN 0.0
    ELSE 100.0 - difference_percent
  END AS privacy_score_clipped,
  CASE
    WHEN difference_percent < 10 THEN 'high'
    WHEN difference_percent <= 50 THEN 'medium'
    WHEN difference_percent > 50 THEN 'low'
  END AS band
FROM differences
