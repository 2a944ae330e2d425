/*
summary = "Section replay of evaluate, continued: which texts of single people come back nearly, and of whose texts runs of words, in columns where 20 people or more have one of their own."
part = true
tables = ["synthetic", "train", "holdout"]

[numbers]
holdout = [
  "near_replay.*.{train,replayed,holdout,holdout_replayed,p_value,records,edits}",
  "phrase_replay.*.{train,replayed,holdout,holdout_replayed,p_value,records,words}",
]
*/
WITH found AS (
  SELECT *, kind || coalesce(' (' || told_by || ')', '') AS look
  FROM replay(synthetic := synthetic, train := train, holdout := holdout, near := true, phrase := 4)
),
meanings AS (
  SELECT 'near_replay' AS metric, 'train' AS statistic, 1 AS place, CAST(NULL AS VARCHAR) AS better,
    'Texts of this column that one person of train alone has: no other real person has one that is nearly equal.' AS meaning
  UNION ALL SELECT 'near_replay', 'replayed', 2, 'lower', 'How many of these come back in synthetic, as they are or nearly.'
  UNION ALL SELECT 'near_replay', 'holdout', 3, NULL, 'Texts that one person of the holdout alone has.'
  UNION ALL SELECT 'near_replay', 'holdout_replayed', 4, NULL, 'How many of these come back so: by chance, since the synthesizer never saw them.'
  UNION ALL SELECT 'near_replay', 'p_value', 5, 'higher', 'The probability that at least so many of the texts that come back are of train, if nothing leaks.'
  UNION ALL SELECT 'near_replay', 'records', 6, 'lower', 'Synthetic records with a text that is nearly one of these of train.'
  UNION ALL SELECT 'near_replay', 'edits', 7, NULL, 'Up to how many edits a text is counted as coming back: the number that tells train from the holdout best.'
  UNION ALL SELECT 'phrase_replay', 'train', 1, NULL, 'People of train whose text in this column has a run of words that nobody else has.'
  UNION ALL SELECT 'phrase_replay', 'replayed', 2, 'lower', 'How many of these have such a run in synthetic.'
  UNION ALL SELECT 'phrase_replay', 'holdout', 3, NULL, 'People of the holdout with a run of words of their own.'
  UNION ALL SELECT 'phrase_replay', 'holdout_replayed', 4, NULL, 'How many of these have such a run in synthetic: by chance, since the synthesizer never saw them.'
  UNION ALL SELECT 'phrase_replay', 'p_value', 5, 'higher', 'The probability that at least so many of the people whose words come back are of train, if nothing leaks.'
  UNION ALL SELECT 'phrase_replay', 'records', 6, 'lower', 'Synthetic records with such a run of words of train.'
  UNION ALL SELECT 'phrase_replay', 'words', 7, NULL, 'How many words in a row are counted: the number that tells train from the holdout best.'
)
SELECT
  'replay' AS section, 94 AS position, meanings.metric, found.column_name AS variant, meanings.statistic, meanings.place,
  meanings.better,
  CASE
    WHEN meanings.statistic = 'replayed' AND found.edits IS NOT NULL THEN
      meanings.meaning || ' They look like: ' || found.look || '.'
    ELSE meanings.meaning
  END AS meaning,
  CASE meanings.statistic
    WHEN 'train' THEN CAST(found.train AS DOUBLE)
    WHEN 'replayed' THEN CAST(found.replayed AS DOUBLE)
    WHEN 'holdout' THEN CAST(found.holdout AS DOUBLE)
    WHEN 'holdout_replayed' THEN CAST(found.holdout_replayed AS DOUBLE)
    WHEN 'p_value' THEN found.p_value
    WHEN 'records' THEN CAST(found.records AS DOUBLE)
    ELSE CAST(coalesce(found.edits, found.words) AS DOUBLE)
  END AS value,
  CAST(NULL AS DOUBLE) AS lower,
  CAST(NULL AS DOUBLE) AS upper
FROM found
JOIN meanings
  ON meanings.metric = CASE
    WHEN found.words IS NOT NULL THEN 'phrase_replay'
    WHEN found.edits IS NOT NULL AND found.kind <> 'running' THEN 'near_replay'
  END
WHERE found.train + found.holdout >= 20
