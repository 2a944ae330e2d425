/*
summary = "Section holdout of evaluate: whether the holdout contains rows of train."
part = true
tables = ["train", "holdout"]

[numbers]
holdout = ["holdout.{overlap,share,expected,overlap_excess,p_value,same}"]
*/
WITH counts AS (
  SELECT 'holdout' AS metric, 150 AS position, overlap.n, overlap.records, repeated.n AS usual_n, repeated.records AS usual_records
  FROM found_in_train(queries := holdout, train := train) AS overlap
  CROSS JOIN repeated_in_train(train := train) AS repeated
),
words AS (
  SELECT 'holdout' AS metric, 'overlap' AS statistic, 1 AS place, CAST(NULL AS VARCHAR) AS better,
    'Holdout records that equal a train record in every compared column.' AS meaning
  UNION ALL SELECT 'holdout', 'share', 2, NULL, 'Their share of all holdout records.'
  UNION ALL SELECT 'holdout', 'expected', 3, NULL,
    'The share of train records that equal another train record: how often people coincide by chance.'
  UNION ALL SELECT 'holdout', 'overlap_excess', 4, 'lower',
    'The difference between the two shares; where it is above 0, records of train stand in the holdout, and every comparison with the holdout makes leaks look smaller.'
  UNION ALL SELECT 'holdout', 'p_value', 5, 'higher',
    'The probability of an overlap at least this large if train and holdout are drawn independently.'
)
SELECT 'holdout' AS section, numbers.*
FROM statistics_beside_usual(counts := counts, words := words) AS numbers

UNION ALL

SELECT
  'holdout', 150, 'holdout', CAST(NULL AS VARCHAR), 'same', 6, 'lower',
  '1 where the same table is given as train and as holdout.',
  CASE WHEN label(train) = label(holdout) THEN 1.0 ELSE 0.0 END, CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE)
