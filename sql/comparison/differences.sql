/*
summary = "How much closer synthetic comes to train than the baseline does, with score and band."
part = true
run.few = true

[parameters]
found = { type = "relation", doc = "rows of metric, its position, comparison and value" }
*/
WITH compared AS (
  SELECT
    metric,
    position,
    -- The baseline is the holdout, or without one, train within itself.
    max(CASE WHEN comparison = CASE WHEN $holdout IS NULL THEN 'train_train' ELSE 'holdout_train' END THEN value END)
      AS baseline_value,
    max(CASE WHEN comparison = 'synthetic_train' THEN value END) AS synthetic_value
  FROM found
  GROUP BY metric, position
),
differences AS (
  SELECT
    *,
    CASE WHEN baseline_value = synthetic_value THEN 0.0 ELSE baseline_value - synthetic_value END AS difference,
    CASE
      WHEN baseline_value = 0 THEN NULL
      WHEN baseline_value = synthetic_value THEN 0.0
      WHEN isinf(baseline_value) OR isinf(synthetic_value) THEN NULL
      ELSE 100.0 * (baseline_value - synthetic_value) / baseline_value
    END AS difference_percent
  FROM compared
)
SELECT
  *,
  CASE WHEN $holdout IS NULL THEN 'train' ELSE 'holdout' END AS baseline,
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
