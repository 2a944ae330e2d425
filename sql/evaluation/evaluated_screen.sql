/*
summary = "Section screen of evaluate: synthetic records that should not be released, and near-copies, compared with holdout records that are as near."
part = true
tables = ["synthetic", "train", "holdout?"]

[numbers]
always = [
  "screen.{flagged,share}",
  "near_copies.{records,share}",
]
holdout = ["{screen,near_copies}.{expected,excess,p_value}"]
*/
WITH judged AS (
  SELECT 'synthetic' AS side, is_copy, is_flagged
  FROM screened(synthetic := synthetic, train := train, holdout := holdout)

  UNION ALL

  -- The same limit applied to the holdout.
  SELECT 'holdout' AS side, is_copy, is_flagged
  FROM screened(synthetic := holdout, train := train, holdout := holdout)
  WHERE $holdout IS NOT NULL
),
counts AS (
  SELECT
    count(*) FILTER (WHERE side = 'synthetic') AS n,
    count(*) FILTER (WHERE side = 'synthetic' AND is_flagged) AS flagged,
    count(*) FILTER (WHERE side = 'synthetic' AND is_flagged AND NOT is_copy) AS near,
    count(*) FILTER (WHERE side = 'holdout') AS usual_n,
    count(*) FILTER (WHERE side = 'holdout' AND is_flagged) AS usual_flagged,
    count(*) FILTER (WHERE side = 'holdout' AND is_flagged AND NOT is_copy) AS usual_near
  FROM judged
),
kinds AS (
  SELECT 'screen' AS metric, 700 AS position, n, flagged AS records, usual_n, usual_flagged AS usual_records
  FROM counts

  UNION ALL

  SELECT 'near_copies' AS metric, 710 AS position, n, near AS records, usual_n, usual_near AS usual_records
  FROM counts
),
words AS (
  SELECT 'screen' AS metric, 'flagged' AS statistic, 1 AS place, 'lower' AS better,
    'Synthetic records that are copies, or closer to train than 95 % of real rows are.' AS meaning
  UNION ALL SELECT 'near_copies', 'records', 1, 'lower',
    'Those of them that are not copies: closer to train than 95 % of real rows are.'
  UNION ALL SELECT 'screen', 'share', 2, 'lower', 'Their share of all synthetic records.'
  UNION ALL SELECT 'near_copies', 'share', 2, 'lower', 'Their share of all synthetic records.'
  UNION ALL SELECT 'screen', 'expected', 3, CAST(NULL AS VARCHAR), 'The share of holdout records that the same rule flags.'
  WHERE $holdout IS NOT NULL
  UNION ALL SELECT 'near_copies', 'expected', 3, NULL, 'The share of holdout records that are as near but not copies.'
  WHERE $holdout IS NOT NULL
  UNION ALL SELECT 'screen', 'excess', 4, 'lower', 'The difference between the two shares; above 0, synthetic comes nearer to train than people do.'
  WHERE $holdout IS NOT NULL
  UNION ALL SELECT 'near_copies', 'excess', 4, 'lower', 'The difference between the two shares; above 0, train records were slightly altered instead of newly generated.'
  WHERE $holdout IS NOT NULL
  UNION ALL SELECT 'screen', 'p_value', 5, 'higher', 'The probability of an excess at least this large if nothing leaks.'
  WHERE $holdout IS NOT NULL
  UNION ALL SELECT 'near_copies', 'p_value', 5, 'higher', 'The probability of an excess at least this large if nothing leaks.'
  WHERE $holdout IS NOT NULL
)
SELECT 'screen' AS section, numbers.*
FROM statistics_beside_usual(counts := kinds, words := words) AS numbers
