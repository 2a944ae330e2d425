/*
summary = "Section copies of evaluate: synthetic records that equal a train record."
part = true

[parameters]
synthetic = { type = "relation", doc = "the synthetic table" }
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
*/
WITH found AS (
  SELECT
    count(*) AS n,
    count(*) FILTER (WHERE copies > 0) AS records,
    CAST(count(*) FILTER (WHERE copies > 0) AS DOUBLE) / nullif(count(*), 0) AS share
  FROM copies(synthetic := synthetic, train := train)
),
words AS (
  SELECT 'records' AS statistic, 1 AS place, 'lower' AS better,
    'Synthetic records that equal a real train record in every compared column.' AS meaning
  UNION ALL SELECT 'share', 2, 'lower', 'Their share of all synthetic records.'
)
SELECT
  'copies' AS section, 200 AS position, 'copies' AS metric, CAST(NULL AS VARCHAR) AS variant, words.*,
  CASE words.statistic WHEN 'records' THEN CAST(found.records AS DOUBLE) ELSE found.share END AS value,
  CASE WHEN words.statistic = 'share' THEN wilson(found.share, found.n, -1) END AS lower,
  CASE WHEN words.statistic = 'share' THEN wilson(found.share, found.n, 1) END AS upper
FROM found
CROSS JOIN words
