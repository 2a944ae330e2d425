/*
summary = "What exposes each record of train under one attack: columns that agree, or its smallest replicated uniques; no rows for other attacks."
options = ["internal.released"]
part = true
tables = ["synthetic", "train", "holdout?"]

[parameters]
attack = { type = "text", default = "agreement", doc = "as in exposure" }
*/
SELECT
  record,
  score,
  own_bits,
  list_filter(
    [each(compared, {'column': this_name, 'bits': bits[this_position + 1]})], lambda item: item.bits > 0
  ) AS agreeing
FROM agreed(synthetic := synthetic, train := train, holdout := holdout, attack := $attack)
WHERE side = 'train' AND ($attack = 'agreement' OR $attack = 'agreement_near')

UNION ALL

SELECT
  record,
  CAST(NULL AS DOUBLE) AS score,
  CAST(NULL AS DOUBLE) AS own_bits,
  list({'column': array_to_string(columns, ', '), 'bits': bits} ORDER BY place) AS agreeing
FROM (
  SELECT
    found.record,
    found.place,
    found.columns,
    log2(sizes.records) AS bits
  FROM smallest_uniques(synthetic := synthetic, train := train, holdout := holdout) AS found
  CROSS JOIN (SELECT count(*) AS records FROM population(train := train, holdout := holdout)) AS sizes
  WHERE found.side = 'train'
) AS listed
WHERE $attack = 'uniques'
GROUP BY record

UNION ALL

SELECT
  CAST(NULL AS BIGINT) AS record,
  CAST(NULL AS DOUBLE) AS score,
  CAST(NULL AS DOUBLE) AS own_bits,
  CAST(NULL AS STRUCT("column" VARCHAR, bits DOUBLE)[]) AS agreeing
WHERE NOT ($attack = 'agreement' OR $attack = 'agreement_near' OR $attack = 'uniques')
