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
    OR $attack = 'agreement_near' OR $attack = 'kernel'
  )
),
placed AS (
  SELECT *, row_number() OVER (PARTITION BY side, record ORDER BY score DESC, place) AS best
  FROM each_score
),
largest AS (
  SELECT side, record, max(abs(score)) AS score
  FROM each_score
  WHERE ($attack = 'density' OR $attack = 'kernel') AND isfinite(score)
  GROUP BY side, record
),
-- A mean does not depend on the order of addition: see exact_sum.
means AS (
  SELECT
    placed.side,
    placed.record,
    sum(CASE WHEN isfinite(placed.score) THEN 0 WHEN placed.score > 0 THEN 1 ELSE -1 END) AS infinite,
    count(CASE WHEN isfinite(placed.score) THEN 1 END) AS finite,
    max(largest.score) AS largest,
    of_steps(sum(steps(CASE WHEN isfinite(placed.score) THEN share_of(placed.score, largest.score) END))) AS total
  FROM placed
  LEFT JOIN largest ON largest.side = placed.side AND largest.record = placed.record
  WHERE $attack = 'density' OR $attack = 'kernel'
  GROUP BY placed.side, placed.record
)
SELECT side, record, score, synthetic, fold, evidence, release
FROM attacked(
  synthetic := synthetic, train := train, holdout := holdout, reference := reference, scores := scores, attack := $attack, k := $k,
  evidence := $evidence
)
WHERE $released IS NULL OR NOT (
  $attack = 'distance' OR $attack = 'ratio' OR $attack = 'density' OR $attack = 'calibrated' OR $attack = 'agreement'
  OR $attack = 'agreement_near' OR $attack = 'kernel'
)

UNION ALL

SELECT side, record, score, synthetic, 0 AS fold, CAST([] AS VARCHAR[]) AS evidence, release
FROM placed
WHERE best = 1 AND $released IS NOT NULL AND (
  $attack = 'distance' OR $attack = 'ratio' OR $attack = 'calibrated' OR $attack = 'agreement'
  OR $attack = 'agreement_near'
)

UNION ALL

SELECT
  placed.side,
  placed.record,
  -- Infinite scores of opposite signs cancel in pairs.
  CASE
    WHEN means.infinite > 0 THEN CAST('Infinity' AS DOUBLE)
    WHEN means.infinite < 0 THEN CAST('-Infinity' AS DOUBLE)
    WHEN means.finite = 0 THEN 0.0
    ELSE means.largest * means.total / means.finite
  END AS score,
  placed.synthetic,
  0 AS fold,
  CAST([] AS VARCHAR[]) AS evidence,
  placed.release
FROM placed
JOIN means ON means.side = placed.side AND means.record = placed.record
WHERE placed.best = 1 AND $released IS NOT NULL AND ($attack = 'density' OR $attack = 'kernel')
