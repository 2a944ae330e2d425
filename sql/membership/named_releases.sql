/*
summary = "Every member with the attack that exposes it most, by each set of releases that a call judges: as the set says that is part of it and names most."
options = ["internal.released_of"]
part = true
tables = ["synthetic", "train", "holdout"]

[parameters]
reference = { type = "relation", optional = true, doc = "further real rows, for the attack calibrated" }
scores = { type = "relation", optional = true, columns = ["score"], doc = "scores of the user's own attacks" }
attack = { type = "names", default = ["agreement"], doc = "as in exposure" }
false_discovery = { type = "number", default = 0.05, doc = "as in exposure" }
k = { type = "integer", default = 1, doc = "as in membership" }
*/
-- Whom some of the releases give away, all of them do. Attacks on all releases also look at tables that tell nothing,
-- and may name fewer: then the list of the smaller set stands. Each list is at the level of one.
WITH named AS (
  SELECT this_value AS released, found.*
  FROM each_value($released_of)
  CROSS JOIN named(
    synthetic := synthetic, train := train, holdout := holdout, reference := reference, scores := scores, attack := $attack, k := $k,
    released := this_value
  ) AS found
),
counted AS (
  SELECT released, count(CASE WHEN q_value <= $false_discovery THEN 1 END) AS records
  FROM named
  GROUP BY released
),
placed AS (
  SELECT
    smaller.released,
    smaller.part,
    row_number() OVER (PARTITION BY smaller.released ORDER BY counted.records DESC, smaller.size DESC, smaller.oldest) AS place
  FROM smaller_sets() AS smaller
  JOIN counted ON counted.released = smaller.part
)
SELECT
  placed.released, named.person, named.first_record, named.record, named.attack, named.score, named.p_value, named.q_value,
  named.synthetic, named.release
FROM placed
JOIN named ON named.released = placed.part
WHERE placed.place = 1
