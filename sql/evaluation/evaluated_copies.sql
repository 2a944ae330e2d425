/*
summary = "Section copies of evaluate: synthetic records that equal a train record, compared with holdout records that do."
part = true
tables = ["synthetic", "train", "holdout?"]

[numbers]
always = ["copies.{records,share,expected,rare,rare_p_value}"]
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
),
rare_words AS (
  SELECT 'rare' AS statistic, 6 AS place, 'lower' AS better,
    'Of the train records that are copied, those too rare to coincide: no other real record equals them, and their values together are rarer than all that two real people have in common.' AS meaning
  UNION ALL SELECT 'rare_p_value', 7, 'higher',
    'The probability that so many pairs of equal, rare records are all of a synthetic and a train record if nothing is copied; a small value is evidence of copying.'
)
SELECT 'copies' AS section, numbers.*
FROM statistics_beside_usual(counts := counts, words := words) AS numbers

UNION ALL

SELECT
  'copies' AS section, 200 AS position, 'copies' AS metric, CAST(NULL AS VARCHAR) AS variant, rare_words.statistic,
  rare_words.place, rare_words.better, rare_words.meaning,
  CASE rare_words.statistic WHEN 'rare' THEN CAST(found.copies AS DOUBLE) ELSE found.p_value END AS value,
  CAST(NULL AS DOUBLE) AS lower, CAST(NULL AS DOUBLE) AS upper
FROM rare_copies(synthetic := synthetic, train := train, holdout := holdout) AS found
CROSS JOIN rare_words
