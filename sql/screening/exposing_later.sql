/*
summary = "The synthetic records that expose people of train once some records are removed."
part = true
tables = ["synthetic"]

[parameters]
flagged = { type = "relation", doc = "rows of record, to be removed" }
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
holdout = { type = "relation", optional = true, doc = "real rows that it never saw" }
false_discovery = { type = "number", default = 0.05, doc = "as in exposure" }
attack = { type = "names", default = ["agreement"], doc = "as in exposure" }
k = { type = "integer", default = 1, doc = "as in exposure" }
rounds = { type = "integer", default = 1, doc = "number of rounds" }
*/
SELECT remaining.original AS record, exposing.together
FROM exposing(
  synthetic := remaining(synthetic := synthetic, flagged := flagged), train := train, holdout := holdout,
  false_discovery := $false_discovery, attack := $attack, k := $k, rounds := $rounds
) AS exposing
JOIN remaining(synthetic := synthetic, flagged := flagged) AS remaining ON remaining.record = exposing.record
