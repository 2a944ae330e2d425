/*
summary = "Section linkability of evaluate: how often two sources lead to the same synthetic record, for people of train and for others."
part = true
tables = ["synthetic", "train", "holdout?"]

[parameters]
known = { type = "names", optional = true, doc = "as in evaluate" }
other = { type = "names", optional = true, doc = "as in evaluate" }
among = { type = "text", default = "known", doc = "the columns that are compared" }

[numbers]
other = ["linkability.k {1,5,10}.rate"]
"other and holdout" = ["linkability.k {1,5,10}.{control,risk}"]
*/
WITH words AS (
  SELECT 'rate' AS statistic, 1 AS place, 'lower' AS better,
    'How often the k synthetic records that are nearest by the one source and by the other have one in common.' AS meaning
  UNION ALL SELECT 'control', 2, CAST(NULL AS VARCHAR), 'The rate for holdout records, which were not in the training data.'
  WHERE $holdout IS NOT NULL
  UNION ALL SELECT 'risk', 3, 'lower', 'The increase of the rate by being in the training data, as a share of the largest possible increase.'
  WHERE $holdout IS NOT NULL
)
SELECT
  'linkability' AS section, 6000 + found.k AS position, 'linkability' AS metric,
  'k ' || CAST(found.k AS VARCHAR) AS variant, words.*,
  CASE words.statistic WHEN 'rate' THEN found.rate WHEN 'control' THEN found.control ELSE found.risk END AS value,
  CASE WHEN words.statistic = 'risk' THEN found.lower END AS lower,
  CASE WHEN words.statistic = 'risk' THEN found.upper END AS upper
FROM linkability(
  synthetic := synthetic, train := train, holdout := holdout, known := $known, other := $other
) AS found
CROSS JOIN words
