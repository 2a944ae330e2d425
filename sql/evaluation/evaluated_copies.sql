/*
summary = "Section copies of evaluate: synthetic records that equal a train record, compared with holdout records that do."
part = true
tables = ["synthetic", "train", "holdout?"]

[numbers]
always = ["copies.{records,share,expected}"]
holdout = ["copies.{excess,p_value}"]
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
counts AS (
  SELECT 'copies' AS metric, 200 AS position, own.n, own.records, usual.n AS usual_n, usual.records AS usual_records
  FROM found_in_train(queries := synthetic, train := train) AS own
  CROSS JOIN usual
),
words AS (
  SELECT 'copies' AS metric, 'records' AS statistic, 1 AS place, 'lower' AS better,
    'Synthetic records that equal a real train record in every compared column.' AS meaning
  UNION ALL SELECT 'copies', 'share', 2, 'lower', 'Their share of all synthetic records.'
  UNION ALL SELECT 'copies', 'expected', 3, CAST(NULL AS VARCHAR), CASE WHEN $holdout IS NULL
    THEN 'The share of train records that equal another train record: how often people coincide by chance.'
    ELSE 'The share of holdout records that equal a train record: how often people coincide by chance.' END
  -- Train within itself allows no test: it may contain the same people several times.
  UNION ALL SELECT 'copies', 'excess', 4, 'lower', 'The difference between the two shares; above 0, more is copied than coincides.'
  WHERE $holdout IS NOT NULL
  UNION ALL SELECT 'copies', 'p_value', 5, 'higher',
    'The probability of an excess at least this large if nothing is copied; a small value is evidence of copying.'
  WHERE $holdout IS NOT NULL
)
SELECT 'copies' AS section, numbers.*
FROM statistics_beside_usual(counts := counts, words := words) AS numbers
