/*
summary = "Section copies of evaluate: synthetic records that equal a train record, beside how many holdout records do."
part = true

[parameters]
synthetic = { type = "relation", doc = "the synthetic table" }
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
holdout = { type = "relation", optional = true, doc = "real rows that it never saw" }
*/
WITH usual AS (
  SELECT n, records
  FROM found_in_train(queries := holdout, train := train)
  WHERE $holdout IS NOT NULL

  UNION ALL

  SELECT n, records
  FROM repeated_in_train(train := train)
  WHERE $holdout IS NULL
),
found AS (
  SELECT
    own.n,
    own.records,
    CAST(own.records AS DOUBLE) / nullif(own.n, 0) AS share,
    usual.n AS usual_n,
    CAST(usual.records AS DOUBLE) / nullif(usual.n, 0) AS usual
  FROM found_in_train(queries := synthetic, train := train) AS own
  CROSS JOIN usual
),
words AS (
  SELECT 'records' AS statistic, 1 AS place, 'lower' AS better,
    'Synthetic records that equal a real train record in every compared column.' AS meaning
  UNION ALL SELECT 'share', 2, 'lower', 'Their share of all synthetic records.'
  UNION ALL SELECT 'expected', 3, CAST(NULL AS VARCHAR), CASE WHEN $holdout IS NULL
    THEN 'The share of train records that equal another train record: so often do people coincide.'
    ELSE 'The share of holdout records that equal a train record: so often do people coincide.' END
  -- Train within itself is no yardstick that a test could rest on: it may repeat its people.
  UNION ALL SELECT 'excess', 4, 'lower', 'The one share less the other; above 0, more is copied than coincides.'
  WHERE $holdout IS NOT NULL
  UNION ALL SELECT 'p_value', 5, 'higher',
    'The chance of so large an excess or a larger one where nothing is copied; a small value is evidence of copying.'
  WHERE $holdout IS NOT NULL
)
SELECT
  'copies' AS section, 200 AS position, 'copies' AS metric, CAST(NULL AS VARCHAR) AS variant, words.*,
  excess_value(words.statistic, found.records, found.share, found.usual, found.p_value) AS value,
  excess_limit(words.statistic, found.share, found.n, found.usual, found.usual_n, -1) AS lower,
  excess_limit(words.statistic, found.share, found.n, found.usual, found.usual_n, 1) AS upper
FROM tested_excess(found := found) AS found
CROSS JOIN words
