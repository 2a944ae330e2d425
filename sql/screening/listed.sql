/*
summary = "The people of train given away at the top of the list of each attack: as many as chance does not explain, those with the largest scores first."
part = true
options = ["internal.released"]
tables = ["synthetic", "train", "holdout"]

[parameters]
attack = { type = "names", default = ["agreement"], doc = "attacks whose lists count" }
k = { type = "integer", default = 1, doc = "as in exposure" }
least = { type = "integer", default = 1, doc = "fewer people given away by an attack do not count" }
*/
WITH scored AS (
  SELECT this_value AS attack, found.fold, found.side, found.first_record, found.score, found.synthetic
  FROM each_value($attack)
  CROSS JOIN scored(synthetic := synthetic, train := train, holdout := holdout, attack := this_value, k := $k) AS found
),
tops AS (
  SELECT attack, fold, at_least, threshold, sum(at_least) OVER (PARTITION BY attack) AS of_attack
  FROM tops(roc := roc(scores := attack_scores(
    synthetic := synthetic, train := train, holdout := holdout, attack := $attack, k := $k
  )))
),
placed AS (
  SELECT
    scored.attack,
    scored.first_record,
    scored.synthetic,
    tops.at_least,
    tops.of_attack,
    row_number() OVER (PARTITION BY scored.attack, scored.fold ORDER BY scored.score DESC, scored.first_record) AS place
  FROM scored
  JOIN tops ON tops.attack = scored.attack AND tops.fold = scored.fold AND scored.score >= tops.threshold
  WHERE scored.side = 'train' AND tops.of_attack >= $least
)
SELECT attack, first_record, synthetic, of_attack
FROM placed
WHERE place <= at_least
