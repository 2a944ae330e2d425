/*
summary = "Section holdout_share of evaluate: whether synthetic is closer to train than to the holdout, at three depths."
part = true
tables = ["synthetic", "train", "holdout"]

[numbers]
holdout = [
  "holdout_share.{share,expected,z,p_value,closer,further,equal}",
  "holdout_share.{near,copies}.{share,expected,z,p_value,closer,further,equal}",
]
*/
WITH words AS (
  SELECT 'share' AS statistic, 1 AS place, 'lower' AS better,
    'The share of synthetic records closer to train than to the holdout; above expected, synthetic has learned of train what it could not know of real people in general, below, of the holdout.' AS meaning
  UNION ALL SELECT 'expected', 2, NULL, 'The share where nothing leaks: that of train among all real rows given, or persons.'
  UNION ALL SELECT 'z', 3, NULL, 'How many standard deviations the share is above the expected one; negative if it is below.'
  UNION ALL SELECT 'p_value', 4, 'higher',
    'The probability of a difference at least this large, in either direction, if nothing leaks; a small value is evidence.'
  UNION ALL SELECT 'closer', 5, NULL, 'Synthetic records closer to train.'
  UNION ALL SELECT 'further', 6, NULL, 'Synthetic records closer to the holdout.'
  UNION ALL SELECT 'equal', 7, NULL, 'Synthetic records equally close to both.'
)
SELECT
  'holdout_share' AS section, 299 + found.place AS position, 'holdout_share' AS metric,
  CASE WHEN found.depth <> 'all' THEN found.depth END AS variant,
  words.statistic, words.place, words.better,
  CASE found.depth
    WHEN 'near' THEN 'Of the synthetic records that are no farther from a real one than the nearest 5 % of real records are from each other: '
    WHEN 'copies' THEN 'Of the synthetic records at distance 0 from a real one: '
    ELSE ''
  END || words.meaning AS meaning,
  CASE words.statistic
    WHEN 'share' THEN found.share
    WHEN 'expected' THEN found.expected
    WHEN 'z' THEN found.z
    WHEN 'p_value' THEN found.p_value
    WHEN 'closer' THEN CAST(found.closer AS DOUBLE)
    WHEN 'further' THEN CAST(found.further AS DOUBLE)
    ELSE CAST(found.equal AS DOUBLE)
  END AS value,
  CASE WHEN words.statistic = 'share' THEN found.lower END AS lower,
  CASE WHEN words.statistic = 'share' THEN found.upper END AS upper
FROM holdout_share(synthetic := synthetic, train := train, holdout := holdout) AS found
CROSS JOIN words
WHERE $counted OR words.place < 5
