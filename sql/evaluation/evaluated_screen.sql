/*
summary = "Section screen of evaluate: synthetic records that should not be given away."
part = true

[parameters]
synthetic = { type = "relation", doc = "the synthetic table" }
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
holdout = { type = "relation", optional = true, doc = "real rows that it never saw" }
*/
WITH found AS (
  SELECT
    count(*) AS n,
    count(*) FILTER (WHERE is_flagged) AS flagged,
    CAST(count(*) FILTER (WHERE is_flagged) AS DOUBLE) / nullif(count(*), 0) AS share
  FROM screened(synthetic := synthetic, train := train, holdout := holdout)
),
words AS (
  SELECT 'flagged' AS statistic, 1 AS place, 'lower' AS better,
    'Synthetic records that are copies, or closer to train than 95 % of real rows are.' AS meaning
  UNION ALL SELECT 'share', 2, 'lower', 'Their share of all synthetic records; about 0.05 where nothing leaks.'
)
SELECT
  'screen' AS section, 700 AS position, 'screen' AS metric, CAST(NULL AS VARCHAR) AS variant, words.*,
  CASE words.statistic WHEN 'flagged' THEN CAST(found.flagged AS DOUBLE) ELSE found.share END AS value,
  CASE WHEN words.statistic = 'share' THEN wilson(found.share, found.n, -1) END AS lower,
  CASE WHEN words.statistic = 'share' THEN wilson(found.share, found.n, 1) END AS upper
FROM found
CROSS JOIN words
