/*
summary = "Section exposure of evaluate: how many people of train can be named, or without a holdout how many are worth a look."
part = true

[parameters]
synthetic = { type = "relation", doc = "the synthetic table" }
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
holdout = { type = "relation", optional = true, doc = "real rows that it never saw" }
false_discovery = { type = "number", default = 0.05, doc = "as in exposure" }

[numbers]
holdout = ["exposure.{exposed,share,by_chance}"]
"no holdout" = ["exposure.beyond"]
*/
WITH found AS (
  SELECT count(*) AS n, count(*) FILTER (WHERE q_value <= $false_discovery) AS records, CAST(NULL AS BIGINT) AS beyond
  FROM exposures(synthetic := synthetic, train := train, holdout := holdout, attack := 'agreement')
  WHERE $holdout IS NOT NULL

  UNION ALL

  SELECT
    count(*) AS n,
    CAST(NULL AS BIGINT) AS records,
    count(*) FILTER (WHERE agreed.score > log2(sizes.records)) AS beyond
  FROM agreement(synthetic := synthetic, train := train, holdout := holdout, near := 0.0) AS agreed
  CROSS JOIN (SELECT count(*) AS records FROM encoded(synthetic)) AS sizes
  WHERE $holdout IS NULL
),
words AS (
  SELECT 'exposed' AS statistic, 1 AS place, 'lower' AS better,
    'Train records that can be named as having been in train: what synthetic says of them it says of too few others.' AS meaning
  UNION ALL SELECT 'share', 2, 'lower', 'Their share of all train records.'
  UNION ALL SELECT 'by_chance', 3, NULL, 'As many of those named are expected to be there by chance, at most.'
  -- If columns were independent, fewer than one synthetic record would agree in so many bits by chance.
  UNION ALL SELECT 'beyond', 4, NULL,
    'Train records with which a synthetic record agrees in more bits than the logarithm of the number of synthetic records: a screen without guarantee, for want of a holdout.'
)
SELECT
  'exposure' AS section, 10 AS position, 'exposure' AS metric, CAST(NULL AS VARCHAR) AS variant, words.*,
  CASE words.statistic
    WHEN 'exposed' THEN CAST(found.records AS DOUBLE)
    WHEN 'share' THEN CAST(found.records AS DOUBLE) / nullif(found.n, 0)
    WHEN 'by_chance' THEN $false_discovery * found.records
    ELSE CAST(found.beyond AS DOUBLE)
  END AS value,
  CAST(NULL AS DOUBLE) AS lower, CAST(NULL AS DOUBLE) AS upper
FROM found
CROSS JOIN words
WHERE (words.statistic = 'beyond') = ($holdout IS NULL)
