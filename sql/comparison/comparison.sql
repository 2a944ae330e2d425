/*
summary = "DCR and NNDR of synthetic to train against the same of real rows: does synthetic come closer than it should?"
source = "Test-train comparison of privacy metrics, with bands at 10 % and 50 %."
options = ["distance"]
order = ["position"]

[parameters]
synthetic = { type = "relation", doc = "the synthetic table" }
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
holdout = { type = "relation", optional = true, doc = "real rows that it never saw; without it, train within itself is the baseline" }
statistic = { type = "text", default = "median", choices = ["median", "mean"], doc = "what is compared" }
k = { type = "integer", default = 5, minimum = 1, doc = "as in nndr" }

[columns]
metric = "VARCHAR: dcr, nndr_second, nndr_within_synthetic, nndr_local, nndr_global"
baseline = "VARCHAR: holdout or train"
baseline_value = "DOUBLE, the statistic of the baseline to train"
synthetic_value = "DOUBLE, the statistic of synthetic to train"
difference = "DOUBLE, baseline_value - synthetic_value; positive where synthetic is closer than real rows are"
difference_percent = "DOUBLE, of baseline_value; 0 where both are equal, NULL where baseline_value is 0 or infinite and synthetic_value is not"
privacy_score = "DOUBLE, 100 - difference_percent"
privacy_score_clipped = "DOUBLE, the same within [0, 100]"
band = "VARCHAR: high (difference under 10 %), medium, low (over 50 %) expected privacy"
*/
WITH measured AS (
  SELECT 'synthetic_train' AS comparison, metric, position, value
  FROM nearness(queries := synthetic, train := train, k := $k)

  UNION ALL

  SELECT 'holdout_train' AS comparison, metric, position, value
  FROM nearness(queries := holdout, train := train, k := $k)
  WHERE $holdout IS NOT NULL

  UNION ALL

  SELECT 'train_train' AS comparison, metric, position, value
  FROM nearness(queries := train, train := train, k := $k, exclude_self := true)
  WHERE $holdout IS NULL
),
beside_largest AS (
  SELECT metric, position, comparison, value, max(value) OVER (PARTITION BY metric, comparison) AS largest
  FROM measured
),
found AS (
  SELECT
    metric,
    position,
    comparison,
    CASE $statistic
      WHEN 'median' THEN median(value)
      ELSE max(largest) * of_steps(sum(steps(share_of(value, largest)))) / nullif(count(value), 0)
    END AS value
  FROM beside_largest
  GROUP BY metric, position, comparison
),
compared AS (
  SELECT
    metric,
    position,
    max(CASE WHEN comparison <> 'synthetic_train' THEN value END) AS baseline_value,
    max(CASE WHEN comparison = 'synthetic_train' THEN value END) AS synthetic_value
  FROM found
  GROUP BY metric, position
)
SELECT *
FROM differences(compared := compared)
