/*
summary = "Section holdout_share of evaluate: whether synthetic is closer to train than to the holdout."
part = true

[parameters]
synthetic = { type = "relation", doc = "the synthetic table" }
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
holdout = { type = "relation", doc = "real rows that it never saw" }

[numbers]
holdout = ["holdout_share.{share,expected,p_value,closer,further,equal}"]
*/
WITH words AS (
  SELECT 'share' AS statistic, 1 AS place, 'lower' AS better,
    'The share of synthetic records closer to train than to the holdout, ties counted half; above expected, synthetic has learned of train what it could not know of real people in general.' AS meaning
  UNION ALL SELECT 'expected', 2, NULL, 'The share where nothing leaks: that of train among all real rows given.'
  UNION ALL SELECT 'p_value', 3, 'higher',
    'The chance of so large a share or a larger one where nothing leaks; a small value is evidence of a leak.'
  UNION ALL SELECT 'closer', 4, NULL, 'Synthetic records closer to train.'
  UNION ALL SELECT 'further', 5, NULL, 'Synthetic records closer to the holdout.'
  UNION ALL SELECT 'equal', 6, NULL, 'Synthetic records equally close to both.'
)
SELECT
  'holdout_share' AS section, 300 AS position, 'holdout_share' AS metric, CAST(NULL AS VARCHAR) AS variant, words.*,
  CASE words.statistic
    WHEN 'share' THEN found.share
    WHEN 'expected' THEN found.expected
    WHEN 'p_value' THEN found.p_value
    WHEN 'closer' THEN CAST(found.closer AS DOUBLE)
    WHEN 'further' THEN CAST(found.further AS DOUBLE)
    ELSE CAST(found.equal AS DOUBLE)
  END AS value,
  CASE WHEN words.statistic = 'share' THEN found.lower END AS lower,
  CASE WHEN words.statistic = 'share' THEN found.upper END AS upper
FROM holdout_share(synthetic := synthetic, train := train, holdout := holdout) AS found
CROSS JOIN words
