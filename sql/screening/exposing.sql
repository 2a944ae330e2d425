/*
summary = "The synthetic records that expose people of train and, in further rounds, those that do so once these are removed."
part = true
tables = ["synthetic", "train", "holdout?"]

[parameters]
false_discovery = { type = "number", default = 0.05, doc = "as in exposure" }
attack = { type = "names", default = ["agreement"], doc = "as in exposure" }
k = { type = "integer", default = 1, doc = "as in exposure" }
rounds = { type = "integer", default = 1, doc = "number of rounds" }

[columns]
record = "BIGINT, a record of synthetic"
together = "BOOLEAN, whether it exposes somebody together with the releases before only"
*/
-- All records with a replicated unique of an exposed person are flagged: if only the one with most of them were
-- removed, the others would still expose the person.
WITH people AS (
  SELECT record, attack, synthetic, false AS together
  FROM named(synthetic := synthetic, train := train, holdout := holdout, attack := $attack, k := $k)
  WHERE q_value <= $false_discovery AND $releases IS NULL

  UNION ALL

  SELECT record, attack, synthetic, together
  FROM newly_named(
    synthetic := synthetic, train := train, holdout := holdout, false_discovery := $false_discovery, attack := $attack, k := $k
  )
  WHERE $releases IS NOT NULL
),
holders AS (
  SELECT found.record, found.synthetic
  FROM each_value($attack)
  CROSS JOIN unique_holders(
    synthetic := synthetic, train := train, holdout := holdout, attack := this_value
  ) AS found
),
blamed AS (
  SELECT synthetic AS record, together
  FROM people
  WHERE synthetic IS NOT NULL

  UNION

  SELECT holders.synthetic AS record, people.together
  FROM holders
  JOIN people ON people.record = holders.record AND people.attack = 'uniques'
)
SELECT record, together
FROM blamed

UNION ALL

SELECT record, together
FROM exposing_later(
  synthetic := synthetic, flagged := blamed, train := train, holdout := holdout,
  false_discovery := $false_discovery, attack := $attack, k := $k, rounds := $rounds - 1
)
WHERE $rounds > 1
