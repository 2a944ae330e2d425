/*
summary = "The members at the top of the list of one attack, down to where most of them are there beyond chance: that of the attack that gives most away."
part = true
tables = ["synthetic", "train", "holdout"]

[parameters]
reference = { type = "relation", optional = true, doc = "further real rows, for the attack calibrated" }
scores = { type = "relation", optional = true, columns = ["score"], doc = "scores of the user's own attacks" }
attack = { type = "names", default = ["agreement"], doc = "as in exposure" }
k = { type = "integer", default = 1, doc = "as in membership" }
*/
WITH scored AS (
  SELECT attack, fold, side, first_record, score
  FROM attack_scores(
    synthetic := synthetic, train := train, holdout := holdout, reference := reference, scores := scores, attack := $attack, k := $k
  )
),
tops AS (
  SELECT attack, fold, at_least, listed, threshold
  FROM tops(roc := roc(scores := attack_scores(
    synthetic := synthetic, train := train, holdout := holdout, reference := reference, scores := scores, attack := $attack, k := $k
  )))
),
-- Of equal attacks the one with the shortest list, then the first in the order of their names.
chosen AS (
  SELECT attack, row_number() OVER (ORDER BY at_least DESC, listed, attack) AS place
  FROM (SELECT attack, sum(at_least) AS at_least, sum(listed) AS listed FROM tops GROUP BY attack) AS totals
)
SELECT scored.first_record
FROM scored
JOIN tops ON tops.attack = scored.attack AND tops.fold = scored.fold AND scored.score >= tops.threshold
JOIN chosen ON chosen.attack = tops.attack AND chosen.place = 1
WHERE scored.side = 'train'
