/*
summary = "Section replay of evaluate, continued: which texts of single people come back nearly, in columns where 20 people or more have one of their own."
part = true
tables = ["synthetic", "train", "holdout"]

[numbers]
holdout = ["near_replay.*.{train,replayed,holdout,holdout_replayed,p_value,records,edits}"]
*/
WITH found AS (
  SELECT * FROM replay(synthetic := synthetic, train := train, holdout := holdout, near := true)
),
words AS (
  SELECT 'train' AS statistic, 1 AS place, CAST(NULL AS VARCHAR) AS better,
    'Texts of this column that one person of train alone has: no other real person has one that is nearly equal.' AS meaning
  UNION ALL SELECT 'replayed', 2, 'lower', 'How many of these come back in synthetic, as they are or nearly.'
  UNION ALL SELECT 'holdout', 3, NULL, 'Texts that one person of the holdout alone has.'
  UNION ALL SELECT 'holdout_replayed', 4, NULL, 'How many of these come back so: by chance, since the synthesizer never saw them.'
  UNION ALL SELECT 'p_value', 5, 'higher', 'The probability that at least so many of the texts that come back are of train, if nothing leaks.'
  UNION ALL SELECT 'records', 6, 'lower', 'Synthetic records with a text that is nearly one of these of train.'
  UNION ALL SELECT 'edits', 7, NULL, 'Up to how many edits a text is counted as coming back: the number that tells train from the holdout best.'
)
SELECT
  'replay' AS section, 94 AS position, 'near_replay' AS metric, found.column_name AS variant, words.statistic, words.place,
  words.better,
  CASE words.statistic
    WHEN 'replayed' THEN words.meaning || ' They look like: ' || found.kind || '.'
    ELSE words.meaning
  END AS meaning,
  CASE words.statistic
    WHEN 'train' THEN CAST(found.train AS DOUBLE)
    WHEN 'replayed' THEN CAST(found.replayed AS DOUBLE)
    WHEN 'holdout' THEN CAST(found.holdout AS DOUBLE)
    WHEN 'holdout_replayed' THEN CAST(found.holdout_replayed AS DOUBLE)
    WHEN 'p_value' THEN found.p_value
    WHEN 'records' THEN CAST(found.records AS DOUBLE)
    ELSE CAST(found.edits AS DOUBLE)
  END AS value,
  CAST(NULL AS DOUBLE) AS lower,
  CAST(NULL AS DOUBLE) AS upper
FROM found
CROSS JOIN words
WHERE found.edits IS NOT NULL AND found.kind <> 'running' AND found.train + found.holdout >= 20
