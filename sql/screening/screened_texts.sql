/*
summary = "What screened says of each synthetic record, and which have texts of a person of train; with unit, all records of a flagged person are flagged."
part = true
tables = ["synthetic", "train", "holdout?"]

[parameters]
near_texts = { type = "boolean", default = true, doc = "as in screen" }
dcr_below = { type = "number", optional = true, doc = "as in screen" }
nndr_below = { type = "number", optional = true, doc = "as in screen" }
false_discovery = { type = "number", optional = true, doc = "as in screen" }
attack = { type = "names", default = ["agreement"], doc = "as in screen" }
k = { type = "integer", default = 1, doc = "as in screen" }
*/
WITH screened AS (
  SELECT *
  FROM screened(
    synthetic := synthetic,
    train := train,
    holdout := holdout,
    dcr_below := $dcr_below,
    nndr_below := $nndr_below,
    false_discovery := $false_discovery,
    attack := $attack,
    k := $k
  )
),
texts AS (
  SELECT record, is_near, words
  FROM near_records(synthetic := synthetic, train := train, holdout := holdout)
  WHERE $near_texts

  UNION ALL

  SELECT CAST(NULL AS BIGINT) AS record, false AS is_near, CAST(NULL AS BIGINT) AS words
  WHERE NOT $near_texts
),
found AS (
  SELECT
    screened.*,
    coalesce(texts.is_near, false) AS is_text,
    texts.words IS NOT NULL AS is_phrase,
    texts.words,
    screened.is_flagged AND NOT screened.is_of_one OR texts.record IS NOT NULL AS has_reason
  FROM screened
  LEFT JOIN texts ON texts.record = screened.record
),
together AS (
  SELECT
    owners.record,
    max(CASE WHEN found.has_reason THEN 1 ELSE 0 END) OVER (PARTITION BY owners.person) AS flagged
  FROM owners(synthetic) AS owners
  JOIN found ON found.record = owners.record
  WHERE $unit IS NOT NULL

  UNION ALL

  SELECT record, 0 AS flagged
  FROM found
  WHERE $unit IS NULL
)
SELECT
  found.record,
  found.dcr,
  found.nndr,
  found.copies,
  found.is_copy,
  found.is_dcr_zero,
  found.is_dcr_below,
  found.is_nndr_below,
  found.is_exposing,
  found.is_adding,
  found.is_text,
  found.is_phrase,
  found.words,
  NOT found.has_reason AND together.flagged = 1 AS is_of_one,
  found.has_reason OR together.flagged = 1 AS is_flagged
FROM found
JOIN together ON together.record = found.record
