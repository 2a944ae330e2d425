/*
summary = "Section within of evaluate: whether synthetic repeats what makes people unique more often than other real people do, for train and, as it should repeat nothing of it, for the holdout."
part = true
tables = ["synthetic", "train", "holdout?"]

[numbers]
always = ["within.train.{people,replicated,control,ratio,z,p_value,at_least,listed}"]
holdout = ["within.holdout.{people,replicated,control,ratio,z,p_value,at_least,listed}"]
*/
WITH found AS (
  SELECT 'train' AS variant, 92 AS position, within.*
  FROM within(synthetic := synthetic, "real" := train) AS within

  UNION ALL

  SELECT 'holdout' AS variant, 93 AS position, within.*
  FROM within(synthetic := synthetic, "real" := holdout) AS within
  WHERE $holdout IS NOT NULL
),
words AS (
  SELECT 'people' AS statistic, 1 AS place, CAST(NULL AS VARCHAR) AS better,
    'The people of one half of the table, whose unique combinations of values are looked for.' AS meaning
  UNION ALL SELECT 'replicated', 2, 'lower', 'How many of these combinations are in synthetic rows.'
  UNION ALL SELECT 'control', 3, NULL, 'How many are in as many rows of the other half: how often real people repeat each other.'
  UNION ALL SELECT 'ratio', 4, 'lower',
    'How many times as often synthetic rows repeat them as real ones do; a table made without these people stays below 1, or near it.'
  UNION ALL SELECT 'z', 5, 'lower', 'Their difference in standard deviations, where synthetic and real rows change sides at random.'
  UNION ALL SELECT 'p_value', 6, 'higher',
    'The probability of a difference at least this large if synthetic rows were other real people; a small one is evidence of a leak, without any holdout.'
  UNION ALL SELECT 'at_least', 7, 'lower',
    'At least this many of these people are repeated more often than real people repeat each other, at 95 %.'
  UNION ALL SELECT 'listed', 8, NULL, 'The people among whom these are.'
)
SELECT
  'within' AS section, found.position, 'within' AS metric, found.variant, words.statistic, words.place, words.better,
  words.meaning,
  CASE words.statistic
    WHEN 'people' THEN CAST(found.people AS DOUBLE)
    WHEN 'replicated' THEN CAST(found.replicated AS DOUBLE)
    WHEN 'control' THEN CAST(found.control AS DOUBLE)
    WHEN 'ratio' THEN found.ratio
    WHEN 'z' THEN found.z
    WHEN 'p_value' THEN found.p_value
    WHEN 'at_least' THEN CAST(found.at_least AS DOUBLE)
    ELSE CAST(found.listed AS DOUBLE)
  END AS value,
  CAST(NULL AS DOUBLE) AS lower,
  CAST(NULL AS DOUBLE) AS upper
FROM found
CROSS JOIN words
