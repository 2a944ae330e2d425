/*
summary = "The score of every real record under one attack on all releases that a call is about: the best, and of densities the mean."
options = ["internal.released"]
part = true
tables = ["synthetic", "train", "holdout?"]

[parameters]
reference = { type = "relation", optional = true, doc = "further real rows, for the attack calibrated" }
scores = { type = "relation", optional = true, columns = ["score"], doc = "scores of the user's own attacks" }
attack = { type = "text", default = "distance", doc = "as in membership" }
k = { type = "integer", default = 1, doc = "as in membership" }
evidence = { type = "boolean", default = false, doc = "as in attacked" }
*/
-- The attack learned goes through the releases itself, and the user's own scores are of no release.
WITH each_score AS (
  SELECT this_place_of AS place, this_name_of AS release, found.side, found.record, found.score, found.synthetic
  FROM each_release
  CROSS JOIN attacked(
    synthetic := this_release, train := train, holdout := holdout, reference := reference, attack := $attack, k := $k,
    released := NULL
  ) AS found
  WHERE $released IS NOT NULL AND (
    $attack = 'distance' OR $attack = 'ratio' OR $attack = 'density' OR $attack = 'calibrated' OR $attack = 'agreement'
    OR $attack = 'agreement_near'
  )
),
placed AS (
  SELECT
    *,
    row_number() OVER (PARTITION BY side, record ORDER BY score DESC, place) AS best,
    max(CASE WHEN isfinite(score) THEN abs(score) END) OVER (PARTITION BY side, record) AS largest
  FROM each_score
),
summed AS (
  SELECT
    side,
    record,
    max(score) AS greatest,
    max(CASE WHEN best = 1 THEN synthetic END) AS synthetic,
    max(CASE WHEN best = 1 THEN release END) AS release,
    sum(CASE WHEN isfinite(score) THEN 0 WHEN score > 0 THEN 1 ELSE -1 END) AS infinite,
    count(CASE WHEN isfinite(score) THEN 1 END) AS finite,
    max(largest) AS largest,
    of_steps(sum(steps(CASE WHEN isfinite(score) THEN share_of(score, largest) END))) AS total
  FROM placed
  GROUP BY side, record
)
SELECT side, record, score, synthetic, fold, evidence, release
FROM attacked(
  synthetic := synthetic, train := train, holdout := holdout, reference := reference, scores := scores, attack := $attack, k := $k,
  evidence := $evidence
)
WHERE $released IS NULL OR NOT (
  $attack = 'distance' OR $attack = 'ratio' OR $attack = 'density' OR $attack = 'calibrated' OR $attack = 'agreement'
  OR $attack = 'agreement_near'
)

UNION ALL

SELECT
  side,
  record,
  -- Infinite scores of opposite signs cancel in pairs.
  CASE
    WHEN NOT $attack = 'density' THEN greatest
    WHEN infinite > 0 THEN CAST('Infinity' AS DOUBLE)
    WHEN infinite < 0 THEN CAST('-Infinity' AS DOUBLE)
    WHEN finite = 0 THEN 0.0
    ELSE largest * total / finite
  END AS score,
  synthetic,
  0 AS fold,
  CAST([] AS VARCHAR[]) AS evidence,
  release
FROM summed
WHERE $released IS NOT NULL AND (
  $attack = 'distance' OR $attack = 'ratio' OR $attack = 'density' OR $attack = 'calibrated' OR $attack = 'agreement'
  OR $attack = 'agreement_near'
)
