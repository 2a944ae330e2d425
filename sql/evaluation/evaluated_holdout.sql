/*
summary = "Section holdout of evaluate: whether the holdout is one, or holds rows of train."
part = true

[parameters]
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
holdout = { type = "relation", doc = "real rows that it never saw" }
*/
WITH counts AS (
  SELECT overlap.n, overlap.records, repeated.n AS usual_n, repeated.records AS usual_records
  FROM found_in_train(queries := holdout, train := train) AS overlap
  CROSS JOIN repeated_in_train(train := train) AS repeated
),
words AS (
  SELECT 'overlap' AS statistic, 1 AS place, CAST(NULL AS VARCHAR) AS better,
    'Holdout records that equal a train record in every compared column.' AS meaning
  UNION ALL SELECT 'share', 2, NULL, 'Their share of all holdout records.'
  UNION ALL SELECT 'expected', 3, NULL,
    'The share of train records that equal another train record: so often do people coincide.'
  UNION ALL SELECT 'overlap_excess', 4, 'lower',
    'The one share less the other; where it is above 0, records of train stand in the holdout, and every comparison with the holdout makes leaks look smaller.'
  UNION ALL SELECT 'p_value', 5, 'higher',
    'The chance of so large an overlap or a larger one where train and holdout are drawn apart.'
  UNION ALL SELECT 'same', 6, 'lower', '1 where the same table is given as train and as holdout.'
)
SELECT
  'holdout' AS section, 150 AS position, 'holdout' AS metric, CAST(NULL AS VARCHAR) AS variant, words.*,
  CASE words.statistic
    WHEN 'overlap' THEN CAST(found.records AS DOUBLE)
    WHEN 'share' THEN found.share
    WHEN 'expected' THEN found.expected
    WHEN 'overlap_excess' THEN found.excess
    WHEN 'p_value' THEN found.p_value
    ELSE CASE WHEN label(train) = label(holdout) THEN 1.0 ELSE 0.0 END
  END AS value,
  CASE words.statistic
    WHEN 'share' THEN found.share_lower
    WHEN 'expected' THEN found.expected_lower
    WHEN 'overlap_excess' THEN found.excess_lower
  END AS lower,
  CASE words.statistic
    WHEN 'share' THEN found.share_upper
    WHEN 'expected' THEN found.expected_upper
    WHEN 'overlap_excess' THEN found.excess_upper
  END AS upper
FROM beside_usual(counts := counts) AS found
CROSS JOIN words
