/*
summary = "What replicated uniques give away, and in how many of them each column is, with what other attacks say: what a search asks of each state first."
options = ["attack.near", "attack.width", "attack.combinations", "distance", "unit", "sequence", "seed", "release"]
reads.units = ["synthetic", "train", "holdout"]
reads.common = true
part = true
run.sets = { lenient = true, noted = false, released = "alone", released_of = ["alone"] }
order = ["statistic", "name"]
tables = ["synthetic", "train", "holdout"]

[parameters]
attack = { type = "names", default = ["uniques"], choices = ["uniques", "agreement", "density"], doc = "as in membership" }
false_discovery = { type = "number", default = 0.05, doc = "as in exposure" }

[columns]
statistic = "VARCHAR: named, by uniques; at_least, auc and auc_lower of an attack; train and holdout, the replicated uniques of each side"
name = "VARCHAR, the attack, or a column of these combinations"
value = "DOUBLE"
*/
-- All ask for the same uniques, which one statement counts once.
WITH told AS (
  SELECT attack, at_least, auc, auc_lower
  FROM membership(
    synthetic := synthetic, train := train, holdout := holdout, attack := $attack, false_positive_rates := [0.1]
  )
),
columns_found AS (
  SELECT side, unnest(columns) AS column_name
  FROM uniques(synthetic := synthetic, train := train, holdout := holdout)
)
SELECT 'named' AS statistic, 'uniques' AS name, CAST(count(*) AS DOUBLE) AS value
FROM named(synthetic := synthetic, train := train, holdout := holdout, attack := ['uniques'])
WHERE q_value <= $false_discovery

UNION ALL

SELECT 'at_least' AS statistic, attack AS name, CAST(at_least AS DOUBLE) AS value FROM told

UNION ALL

SELECT 'auc' AS statistic, attack AS name, auc AS value FROM told

UNION ALL

SELECT 'auc_lower' AS statistic, attack AS name, auc_lower AS value FROM told

UNION ALL

SELECT side AS statistic, column_name AS name, CAST(count(*) AS DOUBLE) AS value
FROM columns_found
GROUP BY side, column_name
