/*
summary = "Section attribute_inference of evaluate: what the nearest synthetic record reveals, for people of train and for others."
part = true
tables = ["synthetic", "train", "holdout?"]

[parameters]
known = { type = "names", optional = true, doc = "as in evaluate" }
secrets = { type = "names", optional = true, doc = "as in evaluate" }
among = { type = "text", default = "known", doc = "the columns that are compared" }

[numbers]
secrets = ["attribute_inference.{secrets}.{rate,baseline}"]
"secrets and holdout" = ["attribute_inference.{secrets}.{control,risk}"]
*/
WITH words AS (
  SELECT 'rate' AS statistic, 1 AS place, 'lower' AS better,
    'How often the synthetic record that is nearest by what is known has the right value.' AS meaning
  UNION ALL SELECT 'baseline', 2, NULL, 'How often the most frequent value is right, or the median of a number.'
  UNION ALL SELECT 'control', 3, NULL, 'The rate for holdout records, which were not in the training data: what is learned about people like them.'
  WHERE $holdout IS NOT NULL
  UNION ALL SELECT 'risk', 4, 'lower', 'The increase of the rate by being in the training data, as a share of the largest possible increase.'
  WHERE $holdout IS NOT NULL
)
SELECT
  'attribute_inference' AS section, 3000 + found.position AS position, 'attribute_inference' AS metric,
  found.secret AS variant, words.*,
  CASE words.statistic
    WHEN 'rate' THEN found.rate
    WHEN 'baseline' THEN found.baseline
    WHEN 'control' THEN found.control
    ELSE found.risk
  END AS value,
  CASE WHEN words.statistic = 'risk' THEN found.lower END AS lower,
  CASE WHEN words.statistic = 'risk' THEN found.upper END AS upper
FROM attribute_inference(
  synthetic := synthetic, train := train, holdout := holdout, known := $known, secrets := $secrets
) AS found
CROSS JOIN words
