/*
summary = "The scores of one attack for what is counted: real records, or persons, where a unit is named."
part = true

[parameters]
synthetic = { type = "relation", doc = "the synthetic table" }
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
holdout = { type = "relation", optional = true, doc = "real rows that it never saw" }
reference = { type = "relation", optional = true, doc = "further real rows, for the attack calibrated" }
attack = { type = "text", default = "distance", doc = "as in membership" }
k = { type = "integer", default = 1, doc = "as in membership" }
*/
-- A person stands for its row with the largest score: that is the record and the synthetic record shown. What is drawn
-- by lot goes by first_record, which no attack decides on.
WITH owned AS (
  SELECT scores.side, persons.person, scores.record, scores.score, scores.synthetic
  FROM attacked(
    synthetic := synthetic, train := train, holdout := holdout, reference := reference, attack := $attack, k := $k
  ) AS scores
  JOIN persons(train := train, holdout := holdout) AS persons
    ON persons.side = scores.side AND persons.record = scores.record
  WHERE $unit IS NOT NULL
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
    max(score) AS greatest,
    sum(CASE WHEN isfinite(score) THEN 0 WHEN score > 0 THEN 1 ELSE -1 END) AS infinite,
    count(CASE WHEN isfinite(score) THEN 1 END) AS finite,
    max(largest) AS largest,
    of_steps(sum(steps(CASE WHEN isfinite(score) THEN share_of(score, largest) END))) AS total
  FROM placed
  GROUP BY side, person
)
SELECT side, CAST(NULL AS BIGINT) AS person, record AS first_record, record, score, synthetic
FROM attacked(
  synthetic := synthetic, train := train, holdout := holdout, reference := reference, attack := $attack, k := $k
)
WHERE $unit IS NULL

UNION ALL

SELECT
  side,
  person,
  first_record,
  record,
  -- Infinite scores of both signs cancel each other, one by one.
  CASE $unit_score
    WHEN 'max' THEN greatest
    ELSE CASE
      WHEN infinite > 0 THEN CAST('Infinity' AS DOUBLE)
      WHEN infinite < 0 THEN CAST('-Infinity' AS DOUBLE)
      WHEN finite = 0 THEN 0.0
      ELSE largest * total / CASE $unit_score WHEN 'mean' THEN finite ELSE 1 END
    END
  END AS score,
  synthetic
FROM summed
WHERE $unit IS NOT NULL
