/*
summary = "The scores of one attack for each real record or, with unit, for each person."
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
-- fold is the cross-validation fold of the attack learned: only scores of the same fold are comparable. Other attacks
-- have only fold 0. A person is represented by the row with its largest score, which gives the record and synthetic
-- record shown. Random draws depend on first_record, which is independent of the attack.
WITH owned AS (
  SELECT
    scores.side, persons.person, scores.record, scores.score, scores.synthetic, scores.fold, scores.evidence, scores.release
  FROM attacked_releases(
    synthetic := synthetic, train := train, holdout := holdout, reference := reference, scores := scores, attack := $attack, k := $k,
    evidence := $evidence
  ) AS scores
  JOIN persons(train := train, holdout := holdout) AS persons
    ON persons.side = scores.side AND persons.record = scores.record
  WHERE $unit IS NOT NULL AND NOT $attack = 'uniques'
),
placed AS (
  SELECT
    *,
    row_number() OVER (PARTITION BY side, person ORDER BY score DESC, record) AS place,
    max(CASE WHEN isfinite(score) THEN abs(score) END) OVER (PARTITION BY side, person) AS largest
  FROM owned
),
summed AS (
  SELECT
    side,
    person,
    min(record) AS first_record,
    max(CASE WHEN place = 1 THEN record END) AS record,
    max(CASE WHEN place = 1 THEN synthetic END) AS synthetic,
    max(fold) AS fold,
    max(score) AS greatest,
    sum(CASE WHEN isfinite(score) THEN 0 WHEN score > 0 THEN 1 ELSE -1 END) AS infinite,
    count(CASE WHEN isfinite(score) THEN 1 END) AS finite,
    max(largest) AS largest,
    of_steps(sum(steps(CASE WHEN isfinite(score) THEN share_of(score, largest) END))) AS total
  FROM placed
  GROUP BY side, person
),
counted AS (
  SELECT side, CAST(NULL AS BIGINT) AS person, record AS first_record, record, score, synthetic, fold, evidence, release
  FROM attacked_releases(
    synthetic := synthetic, train := train, holdout := holdout, reference := reference, scores := scores, attack := $attack, k := $k,
    evidence := $evidence
  )
  WHERE $unit IS NULL AND NOT $attack = 'uniques'

  UNION ALL

  SELECT
    side, CAST(NULL AS BIGINT) AS person, first_record, record, score, synthetic, 0 AS fold,
    CAST([] AS VARCHAR[]) AS evidence, release
  FROM unique_scores(synthetic := synthetic, train := train, holdout := holdout)
  WHERE $unit IS NULL AND $attack = 'uniques'

  UNION ALL

  -- Uniqueness of a key depends on the persons that have it, so uniques counts persons itself.
  SELECT
    scores.side, persons.person, scores.first_record, scores.record, scores.score, scores.synthetic, 0 AS fold,
    CAST([] AS VARCHAR[]) AS evidence, scores.release
  FROM unique_scores(synthetic := synthetic, train := train, holdout := holdout) AS scores
  JOIN persons(train := train, holdout := holdout) AS persons
    ON persons.side = scores.side AND persons.record = scores.record
  WHERE $unit IS NOT NULL AND $attack = 'uniques'

  UNION ALL

  SELECT
    summed.side,
    summed.person,
    summed.first_record,
    summed.record,
    -- Infinite scores of opposite signs cancel in pairs.
    CASE $unit_score
      WHEN 'max' THEN summed.greatest
      ELSE CASE
        WHEN infinite > 0 THEN CAST('Infinity' AS DOUBLE)
        WHEN infinite < 0 THEN CAST('-Infinity' AS DOUBLE)
        WHEN finite = 0 THEN 0.0
        ELSE largest * total / CASE $unit_score WHEN 'mean' THEN finite ELSE 1 END
      END
    END AS score,
    summed.synthetic,
    summed.fold,
    best.evidence,
    best.release
  FROM summed
  JOIN (SELECT side, person, evidence, release FROM placed WHERE place = 1) AS best
    ON best.side = summed.side AND best.person = summed.person
  WHERE $unit IS NOT NULL AND NOT $attack = 'uniques'
)
SELECT side, person, first_record, record, score, synthetic, fold, evidence, release
FROM counted
WHERE NOT $attack = 'density'

UNION ALL

-- Replace infinite scores, keeping the order: the largest finite score + 1, and the smallest - 1.
SELECT
  side,
  person,
  first_record,
  record,
  CASE
    WHEN isfinite(score) THEN score
    WHEN score > 0 THEN coalesce(max(CASE WHEN isfinite(score) THEN score END) OVER (), 0.0) + 1.0
    ELSE coalesce(min(CASE WHEN isfinite(score) THEN score END) OVER (), 0.0) - 1.0
  END AS score,
  synthetic,
  fold,
  evidence,
  release
FROM counted
WHERE $attack = 'density'
