/*
summary = "Sections replay and releases of evaluate, continued: the sets of two columns or more whose combinations of single people come back more often than chance explains, three at most; in synthetic, or in any release."
part = true
options = ["internal.released"]
tables = ["synthetic", "train", "holdout"]

[numbers]
holdout = ["set_replay.sets", "set_replay.*.{train,replayed,holdout,holdout_replayed,p_value,p_adjusted}"]
"releases and holdout" = ["released_sets.sets", "released_sets.*.{train,replayed,holdout,holdout_replayed,p_value,p_adjusted}"]
*/
WITH of_section AS (
  SELECT 'replay' AS section, 94 AS position, 'set_replay' AS metric
  WHERE $released IS NULL
  UNION ALL
  SELECT 'releases' AS section, 18 AS position, 'released_sets' AS metric
  WHERE $released IS NOT NULL
),
found AS (
  SELECT * FROM replay_sets(synthetic := synthetic, train := train, holdout := holdout)
),
shown AS (
  SELECT
    array_to_string(columns, ', ') AS variant, train, replayed, holdout, holdout_replayed, p_value, p_adjusted,
    -- A trace of many, which gives nobody away, must not hide a leak of few: see RATIO of the verdict.
    row_number() OVER (
      ORDER BY CASE WHEN replayed * holdout >= 1.1 * holdout_replayed * train THEN 0 ELSE 1 END, place
    ) AS place
  FROM found
  WHERE p_adjusted < 0.01 AND width > 1
),
words AS (
  SELECT 'train' AS statistic, 1 AS place, CAST(NULL AS VARCHAR) AS better, 'People of train.' AS meaning
  UNION ALL SELECT 'replayed', 2, 'lower',
    'Those with a combination of values in these columns that nobody else has, and that comes back in synthetic'
    || CASE WHEN $released IS NULL THEN '.' ELSE ', or in a release before it.' END
  UNION ALL SELECT 'holdout', 3, NULL, 'People of the holdout.'
  UNION ALL SELECT 'holdout_replayed', 4, NULL,
    'Those with such a combination: it comes back by chance, since the synthesizer never saw them.'
  UNION ALL SELECT 'p_value', 5, 'higher',
    'The probability that at least so many of the people whose combinations come back are of train, if nothing leaks.'
  UNION ALL SELECT 'p_adjusted', 6, 'higher', 'The same, where the worst of all sets of columns is picked (Holm).'
)
SELECT
  of_section.section, of_section.position, of_section.metric, shown.variant, words.statistic, words.place, words.better,
  words.meaning,
  CASE words.statistic
    WHEN 'train' THEN CAST(shown.train AS DOUBLE)
    WHEN 'holdout' THEN CAST(shown.holdout AS DOUBLE)
    WHEN 'replayed' THEN CAST(shown.replayed AS DOUBLE)
    WHEN 'holdout_replayed' THEN CAST(shown.holdout_replayed AS DOUBLE)
    WHEN 'p_value' THEN shown.p_value
    ELSE shown.p_adjusted
  END AS value,
  CAST(NULL AS DOUBLE) AS lower,
  CAST(NULL AS DOUBLE) AS upper
FROM shown
CROSS JOIN words
CROSS JOIN of_section
WHERE shown.place <= 3

UNION ALL

SELECT
  of_section.section, of_section.position, of_section.metric, NULL, 'sets', 12, NULL,
  'Sets of columns in which combinations of single people come back, each of which was tested.',
  CAST(counted.sets AS DOUBLE), NULL, NULL
FROM (SELECT count(*) AS sets FROM found) AS counted
CROSS JOIN of_section
