/*
summary = "Section replay of evaluate: which values of single people come back in synthetic, by column, also where no distance and no attack compares it."
part = true
tables = ["synthetic", "train", "holdout?"]

[numbers]
always = ["replay.columns", "replay.*.{train,replayed,records,running}"]
holdout = ["replay.p_adjusted", "replay.*.{holdout,holdout_replayed,excess,p_value,p_adjusted}"]
*/
WITH found AS (
  SELECT *, kind || coalesce(' (' || told_by || ')', '') AS look
  FROM replay(synthetic := synthetic, train := train, holdout := holdout)
),
words AS (
  SELECT 'train' AS statistic, 1 AS place, CAST(NULL AS VARCHAR) AS better,
    'Values of this column that one person of train alone has among all real ones.' AS meaning
  UNION ALL SELECT 'replayed', 2, 'lower', 'How many of these come back in synthetic.'
  UNION ALL SELECT 'holdout', 3, NULL, 'Values that one person of the holdout alone has.'
  WHERE $holdout IS NOT NULL
  UNION ALL SELECT 'holdout_replayed', 4, NULL, 'How many of these come back: by chance, since the synthesizer never saw them.'
  WHERE $holdout IS NOT NULL
  UNION ALL SELECT 'excess', 5, 'lower', 'The share of the values of train that come back, less that of the holdout.'
  WHERE $holdout IS NOT NULL
  UNION ALL SELECT 'p_value', 6, 'higher', 'The probability that at least so many of the values that come back are of train, if nothing leaks.'
  WHERE $holdout IS NOT NULL
  UNION ALL SELECT 'p_adjusted', 7, 'higher', 'The same, where the worst of all columns is picked (Holm).'
  WHERE $holdout IS NOT NULL
  UNION ALL SELECT 'records', 8, 'lower', 'Synthetic records with such a value of train.'
  UNION ALL SELECT 'running', 9, NULL, '1 where the values number the rows of synthetic: their return is no evidence.'
)
SELECT
  'replay' AS section, 94 AS position, 'replay' AS metric, found.column_name AS variant, words.statistic, words.place,
  words.better,
  CASE words.statistic
    WHEN 'replayed' THEN words.meaning || ' They look like: ' || found.look || '.'
    ELSE words.meaning
  END AS meaning,
  CASE words.statistic
    WHEN 'train' THEN CAST(found.train AS DOUBLE)
    WHEN 'replayed' THEN CAST(found.replayed AS DOUBLE)
    WHEN 'holdout' THEN CAST(found.holdout AS DOUBLE)
    WHEN 'holdout_replayed' THEN CAST(found.holdout_replayed AS DOUBLE)
    WHEN 'excess' THEN found.excess
    WHEN 'p_value' THEN found.p_value
    WHEN 'p_adjusted' THEN found.p_adjusted
    WHEN 'records' THEN CAST(found.records AS DOUBLE)
    ELSE CASE found.kind WHEN 'running' THEN 1.0 ELSE 0.0 END
  END AS value,
  CAST(NULL AS DOUBLE) AS lower,
  CAST(NULL AS DOUBLE) AS upper
FROM found
CROSS JOIN words
-- A column without values of single people has no rows.
WHERE found.train + coalesce(found.holdout, 0) > 0

UNION ALL

SELECT
  'replay', 94, 'replay', NULL, 'columns', 10, 'lower',
  'Columns in which values of single people of train come back, other than numbers of rows.',
  CAST(count(CASE WHEN replayed > 0 AND kind <> 'running' THEN 1 END) AS DOUBLE), NULL, NULL
FROM found

UNION ALL

SELECT
  'replay', 94, 'replay', NULL, 'p_adjusted', 11, 'higher',
  'The least of their adjusted p-values; NULL if no column can be judged.',
  min(p_adjusted), NULL, NULL
FROM found
WHERE $holdout IS NOT NULL
