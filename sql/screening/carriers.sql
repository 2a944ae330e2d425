/*
summary = "The synthetic records to take out next, few at a time: those most to blame for people who are named, or given away at the top of a list."
options = ["attack.near", "attack.width", "attack.combinations", "attack.folds", "distance", "unit", "seed", "types"]
part = true
units = ["synthetic", "train", "holdout"]
order = ["record"]
tables = ["synthetic", "train", "holdout"]

[parameters]
false_discovery = { type = "number", default = 0.05, doc = "as in exposure" }
attack = { type = "names", default = ["agreement"], choices = ["all", "distance", "ratio", "density", "agreement", "agreement_near", "uniques", "learned"], doc = "attacks whose lists count" }
named_by = { type = "names", default = ["agreement"], choices = ["all", "distance", "ratio", "density", "agreement", "agreement_near", "uniques", "learned"], doc = "attacks by which people are named; they share false_discovery" }
k = { type = "integer", default = 1, doc = "as in exposure" }
least = { type = "integer", default = 5, doc = "fewer people given away by an attack do not count" }
every = { type = "boolean", default = false, doc = "take every record with a replicated unique of a named person, not only the one with most of them" }

[columns]
record = "BIGINT, a synthetic record; with unit, all records of its person"
*/
WITH people AS (
  SELECT first_record, record, attack, synthetic
  FROM named(synthetic := synthetic, train := train, holdout := holdout, attack := $named_by, k := $k)
  WHERE q_value <= $false_discovery
),
holders AS (
  SELECT found.record, found.synthetic
  FROM each_value($named_by)
  CROSS JOIN unique_holders(
    synthetic := synthetic, train := train, holdout := holdout, attack := this_value
  ) AS found
  WHERE $every
),
scored AS (
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
-- Of a list, as many as chance does not explain, those with the largest scores first.
listed AS (
  SELECT
    scored.synthetic,
    tops.at_least,
    row_number() OVER (PARTITION BY scored.attack, scored.fold ORDER BY scored.score DESC, scored.first_record) AS place
  FROM scored
  JOIN tops ON tops.attack = scored.attack AND tops.fold = scored.fold AND scored.score >= tops.threshold
  WHERE scored.side = 'train' AND tops.of_attack >= $least
),
blamed AS (
  SELECT synthetic AS record
  FROM people
  WHERE synthetic IS NOT NULL

  UNION

  SELECT holders.synthetic AS record
  FROM holders
  JOIN people ON people.record = holders.record AND people.attack = 'uniques'
  WHERE $every

  UNION

  SELECT synthetic AS record
  FROM listed
  WHERE place <= at_least AND synthetic IS NOT NULL
)
SELECT record
FROM blamed
WHERE $unit IS NULL

UNION ALL

SELECT DISTINCT others.record
FROM blamed
JOIN owners(synthetic) AS one ON one.record = blamed.record
JOIN owners(synthetic) AS others ON others.person = one.person
WHERE $unit IS NOT NULL
