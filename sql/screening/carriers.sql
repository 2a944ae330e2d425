/*
summary = "The synthetic records to take out next, few at a time: those most to blame for people who are named, or given away at the top of a list."
options = ["attack.near", "attack.width", "attack.combinations", "attack.folds", "distance", "unit", "seed", "types", "release"]
part = true
run.sets = { released = "alone", released_of = ["alone", "before", "union"] }
reads.units = ["synthetic", "train", "holdout"]
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
  SELECT record, attack, synthetic
  FROM named(synthetic := synthetic, train := train, holdout := holdout, attack := $named_by, k := $k)
  WHERE q_value <= $false_discovery AND $releases IS NULL

  UNION ALL

  SELECT record, attack, synthetic
  FROM newly_named(
    synthetic := synthetic, train := train, holdout := holdout, false_discovery := $false_discovery, attack := $named_by, k := $k
  )
  WHERE $releases IS NOT NULL
),
holders AS (
  SELECT found.record, found.synthetic
  FROM each_value($named_by)
  CROSS JOIN unique_holders(
    synthetic := synthetic, train := train, holdout := holdout, attack := this_value
  ) AS found
  WHERE $every
),
listed AS (
  SELECT synthetic
  FROM listed(synthetic := synthetic, train := train, holdout := holdout, attack := $attack, k := $k, least := $least)
  WHERE $releases IS NULL

  UNION ALL

  SELECT synthetic
  FROM newly_listed(
    synthetic := synthetic, train := train, holdout := holdout, attack := $attack, k := $k, least := $least
  )
  WHERE $releases IS NOT NULL
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
  WHERE synthetic IS NOT NULL
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
