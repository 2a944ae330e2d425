/*
summary = "The score of every real record under one attack, larger for a more likely member, and the responsible synthetic record."
options = ["internal.released", "internal.judged_apart"]
part = true
tables = ["synthetic", "train", "holdout?"]

[parameters]
reference = { type = "relation", optional = true, doc = "further real rows, for the attack calibrated" }
scores = { type = "relation", optional = true, columns = ["score"], doc = "scores of the user's own attacks" }
attack = { type = "text", default = "distance", doc = "as in membership" }
k = { type = "integer", default = 1, doc = "as in membership" }
evidence = { type = "boolean", default = false, doc = "return the features that raise the score of the attack learned" }
*/
-- Scales come from all real rows, and train and holdout are searched as one table: a difference between them can only
-- come from synthetic. Duplicates of a synthetic record are merged, which only changes the second distance.
WITH enough_for_density AS (
  -- If several tables have too few records, the error is about the first, whichever search starts first.
  SELECT none_lacks(message) AS is_enough
  FROM (
    SELECT
      coalesce(
        (SELECT message FROM shortage(reference := synthetic, k := $k)),
        (
          SELECT message
          FROM shortage(reference := population(train := train, holdout := holdout), k := $k, exclude_self := true)
        )
      ) AS message
  ) AS first_message
),
closest AS (
  SELECT
    found.record,
    max(CASE WHEN found.rank = 1 THEN found.distance END) AS first_distance,
    max(CASE WHEN found.rank = 2 THEN found.distance END) AS second_distance,
    max(CASE WHEN found.rank = 1 THEN found.neighbor END) AS neighbor
  FROM nearest(
    queries := population(train := train, holdout := holdout),
    reference := distinct_records(relation := synthetic),
    train := population(train := train, holdout := holdout),
    k := 2,
    apart := $judged_apart
  ) AS found
  WHERE $attack = 'ratio' AND $most_asked IS NULL
  GROUP BY found.record

  UNION ALL

  SELECT found.record, found.distance AS first_distance, CAST(NULL AS DOUBLE) AS second_distance, found.neighbor
  FROM nearest(
    queries := population(train := train, holdout := holdout),
    reference := distinct_records(relation := synthetic),
    train := population(train := train, holdout := holdout),
    k := 1,
    apart := $judged_apart
  ) AS found
  WHERE ($attack = 'distance' AND $most_asked IS NULL)
    OR $attack = 'calibrated'
    OR ($attack = 'density' AND $k = 1 AND $most_asked IS NULL)

  UNION ALL

  SELECT
    people.asked AS record,
    max(CASE WHEN found.rank = 1 THEN found.distance END) AS first_distance,
    max(CASE WHEN found.rank = 2 THEN found.distance END) AS second_distance,
    max(CASE WHEN found.rank = 1 THEN found.neighbor END) AS neighbor
  FROM nearest(
    queries := asked(train := train, holdout := holdout),
    reference := distinct_records(relation := synthetic),
    train := population(train := train, holdout := holdout),
    k := 2,
    apart := $judged_apart
  ) AS found
  JOIN asked(train := train, holdout := holdout) AS people ON people.record = found.record
  WHERE $attack = 'ratio' AND $most_asked IS NOT NULL
  GROUP BY people.asked

  UNION ALL

  SELECT people.asked AS record, found.distance AS first_distance, CAST(NULL AS DOUBLE) AS second_distance, found.neighbor
  FROM nearest(
    queries := asked(train := train, holdout := holdout),
    reference := distinct_records(relation := synthetic),
    train := population(train := train, holdout := holdout),
    k := 1,
    apart := $judged_apart
  ) AS found
  JOIN asked(train := train, holdout := holdout) AS people ON people.record = found.record
  WHERE ($attack = 'distance' AND $most_asked IS NOT NULL)
    OR ($attack = 'density' AND $k = 1 AND $most_asked IS NOT NULL)
),
blamed AS (
  SELECT
    closest.record,
    closest.first_distance,
    closest.second_distance,
    records.first_record AS synthetic
  FROM closest
  JOIN distinct_records(relation := synthetic) AS records ON records.record = closest.neighbor
  WHERE NOT ($attack = 'density' AND $k > 1)

  UNION ALL

  -- With k > 1, duplicates count separately.
  SELECT
    record,
    max(CASE WHEN rank = $k THEN distance END) AS first_distance,
    CAST(NULL AS DOUBLE) AS second_distance,
    max(CASE WHEN rank = 1 THEN neighbor END) AS synthetic
  FROM nearest(
    queries := population(train := train, holdout := holdout),
    reference := synthetic,
    train := population(train := train, holdout := holdout),
    k := $k,
    apart := $judged_apart
  )
  WHERE $attack = 'density' AND $k > 1 AND (SELECT is_enough FROM enough_for_density)
  GROUP BY record
),
distances AS (
  SELECT record, distance
  FROM among_real(train := train, holdout := holdout)
  WHERE $attack = 'density' AND $k = 1 AND (SELECT is_enough FROM enough_for_density)

  UNION ALL

  SELECT record, distance
  FROM nearest(
    queries := population(train := train, holdout := holdout),
    reference := population(train := train, holdout := holdout),
    train := population(train := train, holdout := holdout),
    k := $k,
    exclude_self := true
  )
  WHERE $attack = 'density' AND $k > 1 AND rank = $k AND (SELECT is_enough FROM enough_for_density)
),
to_reference AS (
  SELECT record, distance
  FROM nearest(
    queries := population(train := train, holdout := holdout),
    reference := reference,
    train := population(train := train, holdout := holdout),
    k := 1
  )
  WHERE $attack = 'calibrated'
),
scored AS (
  SELECT record, 0 - first_distance AS score, synthetic
  FROM blamed
  WHERE $attack = 'distance'

  UNION ALL

  -- If all synthetic records are equal, there is no second one, and the ratio singles nobody out.
  SELECT record, 0 - coalesce(ratio(first_distance, second_distance), 1) AS score, synthetic
  FROM blamed
  WHERE $attack = 'ratio'

  UNION ALL

  SELECT blamed.record, log_ratio(distances.distance, blamed.first_distance) AS score, blamed.synthetic
  FROM blamed
  JOIN distances ON distances.record = blamed.record
  WHERE $attack = 'density'

  UNION ALL

  SELECT blamed.record, to_reference.distance - blamed.first_distance AS score, blamed.synthetic
  FROM blamed
  JOIN to_reference ON to_reference.record = blamed.record
  WHERE $attack = 'calibrated'
)
SELECT side, record, score, synthetic, 0 AS fold, CAST([] AS VARCHAR[]) AS evidence,
  CAST(NULL AS VARCHAR) AS release
FROM agreed(synthetic := synthetic, train := train, holdout := holdout, attack := $attack)
WHERE $attack = 'agreement' OR $attack = 'agreement_near'

UNION ALL

SELECT
  CASE WHEN scored.record < members.records THEN 'train' ELSE 'holdout' END AS side,
  CASE WHEN scored.record < members.records THEN scored.record ELSE scored.record - members.records END AS record,
  CAST(scored.score AS DOUBLE) AS score,
  scored.synthetic,
  0 AS fold,
  CAST([] AS VARCHAR[]) AS evidence,
  CAST(NULL AS VARCHAR) AS release
FROM scored
CROSS JOIN (SELECT count(*) AS records FROM encoded(train)) AS members
WHERE $attack = 'distance' OR $attack = 'ratio' OR $attack = 'density' OR $attack = 'calibrated'

UNION ALL

SELECT side, record, score, synthetic, fold, evidence, release
FROM learned(synthetic := synthetic, train := train, holdout := holdout, evidence := $evidence)
WHERE $attack = 'learned'

UNION ALL

SELECT side, record, score, synthetic, 0 AS fold, CAST([] AS VARCHAR[]) AS evidence, CAST(NULL AS VARCHAR) AS release
FROM kernel_ratios(synthetic := synthetic, train := train, holdout := holdout)
WHERE $attack = 'kernel'

UNION ALL

SELECT side, record, score, CAST(NULL AS BIGINT) AS synthetic, 0 AS fold, CAST([] AS VARCHAR[]) AS evidence,
  CAST(NULL AS VARCHAR) AS release
FROM own_scores(scores := scores, train := train, holdout := holdout, attack := $attack)
WHERE NOT (
  $attack = 'distance' OR $attack = 'ratio' OR $attack = 'density' OR $attack = 'calibrated' OR $attack = 'agreement'
  OR $attack = 'agreement_near' OR $attack = 'uniques' OR $attack = 'learned' OR $attack = 'kernel'
)
