/*
summary = "DCR, NNDR and copies of every synthetic record, and texts of people in it: the reasons why it should not be released."
part = true
tables = ["synthetic", "train", "holdout?"]

[parameters]
near_texts = { type = "boolean", default = false, doc = "as in screen" }
dcr_below = { type = "number", optional = true, doc = "as in screen" }
nndr_below = { type = "number", optional = true, doc = "as in screen" }
false_discovery = { type = "number", optional = true, doc = "as in screen" }
attack = { type = "names", default = ["agreement"], doc = "as in screen" }
k = { type = "integer", default = 1, doc = "as in screen" }
*/
WITH baseline AS (
  SELECT distance
  FROM nearest(queries := holdout, reference := train, train := train, k := 1)
  WHERE $holdout IS NOT NULL

  UNION ALL

  SELECT distance
  FROM nearest(queries := train, reference := train, train := train, k := 1, exclude_self := true)
  WHERE $holdout IS NULL
),
-- A given limit needs no search.
limits AS (
  SELECT
    -- A holdout without rows has no percentile, which must not mean that there is no limit.
    CASE
      WHEN $holdout IS NULL OR (SELECT is_enough FROM enough(reference := holdout)) THEN quantile_cont(distance, 0.05)
    END AS dcr_below
  FROM baseline
  WHERE $dcr_below IS NULL AND $false_discovery IS NULL

  UNION ALL

  -- The percentile flags 5 % of a table without a leak: where people are searched for, only who carries them goes.
  SELECT CAST(coalesce($dcr_below, 0) AS DOUBLE) AS dcr_below
  WHERE $dcr_below IS NOT NULL OR $false_discovery IS NOT NULL
),
blamed AS (
  SELECT
    record,
    count(CASE WHEN NOT together THEN 1 END) > 0 AS is_exposing,
    count(CASE WHEN together THEN 1 END) > 0 AS is_adding
  FROM exposing(
    synthetic := synthetic,
    train := train,
    holdout := holdout,
    false_discovery := $false_discovery,
    attack := $attack,
    k := $k
  )
  WHERE $false_discovery IS NOT NULL
  GROUP BY record

  UNION ALL

  SELECT CAST(NULL AS BIGINT) AS record, false AS is_exposing, false AS is_adding
  WHERE $false_discovery IS NULL
),
measured AS (
  SELECT
    copies.record,
    distances.distance AS dcr,
    ratio(ratios.numerator, ratios.denominator) AS nndr,
    copies.copies
  FROM copies(synthetic := synthetic, train := train) AS copies
  JOIN nearest(queries := synthetic, reference := train, train := train, k := 1) AS distances
    ON distances.record = copies.record
  JOIN nndr_parts(queries := synthetic, train := train, variant := 'second', partial := true) AS ratios
    ON ratios.record = copies.record
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
    measured.record,
    measured.dcr,
    measured.nndr,
    measured.copies,
    measured.copies > 0 AS is_copy,
    measured.dcr = 0 AS is_dcr_zero,
    coalesce(measured.dcr < limits.dcr_below, false) AS is_dcr_below,
    coalesce(measured.nndr < CAST($nndr_below AS DOUBLE), false) AS is_nndr_below,
    coalesce(blamed.is_exposing, false) AS is_exposing,
    coalesce(blamed.is_adding, false) AS is_adding,
    coalesce(texts.is_near, false) AS is_text,
    texts.words IS NOT NULL AS is_phrase,
    texts.words,
    measured.copies > 0
      OR measured.dcr = 0
      OR coalesce(measured.dcr < limits.dcr_below, false)
      OR coalesce(measured.nndr < CAST($nndr_below AS DOUBLE), false)
      OR blamed.record IS NOT NULL
      OR texts.record IS NOT NULL AS is_flagged
  FROM measured
  CROSS JOIN limits
  LEFT JOIN blamed ON blamed.record = measured.record
  LEFT JOIN texts ON texts.record = measured.record
),
-- If one row of a person is flagged, all of its rows are.
together AS (
  SELECT
    owners.record,
    max(CASE WHEN found.is_flagged THEN 1 ELSE 0 END) OVER (PARTITION BY owners.person) AS flagged
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
  NOT found.is_flagged AND together.flagged = 1 AS is_of_one,
  found.is_flagged OR together.flagged = 1 AS is_flagged
FROM found
JOIN together ON together.record = found.record
