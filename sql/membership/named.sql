/*
summary = "Every member, record or person, with the attack that exposes it most among the requested ones, which share the false discovery rate."
options = ["internal.released"]
part = true
tables = ["synthetic", "train", "holdout"]

[parameters]
reference = { type = "relation", optional = true, doc = "further real rows, for the attack calibrated" }
scores = { type = "relation", optional = true, columns = ["score"], doc = "scores of the user's own attacks" }
attack = { type = "names", default = ["agreement"], doc = "as in exposure" }
k = { type = "integer", default = 1, doc = "as in membership" }
*/
WITH found AS (
  SELECT this_value AS attack, exposures.*
  FROM each_value($attack)
  CROSS JOIN exposures(
    synthetic := synthetic, train := train, holdout := holdout, reference := reference, scores := scores, attack := this_value, k := $k
  ) AS exposures
),
placed AS (
  SELECT
    *,
    row_number() OVER (
      PARTITION BY first_record
      ORDER BY
        q_value,
        CASE attack
          WHEN 'uniques' THEN 1
          WHEN 'learned' THEN 2
          WHEN 'agreement' THEN 3
          WHEN 'agreement_near' THEN 4
          WHEN 'distance' THEN 5
          WHEN 'ratio' THEN 6
          WHEN 'density' THEN 7
          WHEN 'calibrated' THEN 8
          ELSE 9
        END,
        attack
    ) AS place
  FROM found
),
-- All attacks with results share the level, even if one of them scored only a sample of the people.
answered AS (
  SELECT count(DISTINCT attack) AS attacks
  FROM found
)
SELECT
  placed.person,
  placed.first_record,
  placed.record,
  placed.attack,
  placed.score,
  placed.p_value,
  least(placed.q_value * answered.attacks, 1.0) AS q_value,
  placed.synthetic,
  placed.release
FROM placed
CROSS JOIN answered
WHERE placed.place = 1
