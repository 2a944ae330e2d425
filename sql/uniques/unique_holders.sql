/*
summary = "Pairs of a train record and every synthetic record that has one of its replicated uniques; no rows for attacks other than uniques."
part = true
tables = ["synthetic", "train", "holdout?"]

[parameters]
attack = { type = "text", default = "uniques", doc = "as in exposure" }
*/
SELECT hits.position AS record, hits.synthetic AS synthetic
FROM (
  SELECT
    found.found.members AS members,
    unnest(found.found.pair_positions) AS position,
    unnest(found.found.pair_synthetic) AS synthetic
  FROM replicated(synthetic := synthetic, train := train, holdout := holdout, pairs := true) AS found
) AS hits
WHERE hits.position < hits.members AND $attack = 'uniques'

UNION ALL

SELECT CAST(NULL AS BIGINT) AS record, CAST(NULL AS BIGINT) AS synthetic
WHERE NOT $attack = 'uniques'
