/*
summary = "Section comparison of evaluate: how much closer to train synthetic is than real rows are, by medians or means."
part = true
tables = ["synthetic", "train", "holdout?"]

[parameters]
statistic = { type = "text", default = "median", doc = "as in evaluate" }

[numbers]
holdout = ["{dcr,nndr_second,nndr_within_synthetic,nndr_local,nndr_global}.holdout.{difference_percent,privacy_score,privacy_score_clipped,band}"]
"no holdout" = ["{dcr,nndr_second,nndr_within_synthetic,nndr_local,nndr_global}.train.{difference_percent,privacy_score,privacy_score_clipped,band}"]
*/
WITH compared AS (
  SELECT metric, position, comparison, CASE $statistic WHEN 'median' THEN median ELSE mean END AS value
  FROM statistics(
    measured := measured(
      synthetic := synthetic, train := train, holdout := holdout, partial := true, partial_within := true
    )
  )
),
words AS (
  SELECT 'difference_percent' AS statistic, 1 AS place, 'lower' AS better,
    'How much closer synthetic comes to train than the baseline does, in percent of the baseline, by the ' || $statistic || '.' AS meaning
  UNION ALL SELECT 'privacy_score', 2, 'higher',
    '100 less that difference; 100 and more: synthetic comes no closer than real rows do.'
  UNION ALL SELECT 'privacy_score_clipped', 3, 'higher', 'The same, kept between 0 and 100.'
  UNION ALL SELECT 'band', 4, 'higher',
    'One vendor''s convention, which depends on the metric: 3 is high (difference under 10 %), 2 medium, 1 low (over 50 %).'
)
SELECT
  'comparison' AS section, 600 + found.position AS position, found.metric, found.baseline AS variant, words.*,
  CASE words.statistic
    WHEN 'difference_percent' THEN found.difference_percent
    WHEN 'privacy_score' THEN found.privacy_score
    WHEN 'privacy_score_clipped' THEN found.privacy_score_clipped
    ELSE CASE found.band WHEN 'high' THEN 3.0 WHEN 'medium' THEN 2.0 WHEN 'low' THEN 1.0 END
  END AS value,
  CAST(NULL AS DOUBLE) AS lower, CAST(NULL AS DOUBLE) AS upper
FROM differences(found := compared) AS found
CROSS JOIN words
