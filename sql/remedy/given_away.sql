/*
summary = "Whom all attacks of evaluate give away: its section exposure alone, for a search."
options = ["attack.near", "attack.width", "attack.combinations", "attack.folds", "attack.hints", "distance", "unit", "sequence", "seed", "release"]
units = ["synthetic", "train", "holdout"]
common = true
part = true
sets = { lenient = true, judged_apart = true, most = 100_000, controlled = true, by_column = false, noted = false, released = "alone", released_of = ["each"] }
tables = ["synthetic", "train", "holdout"]

[parameters]
attack = { type = "names", default = ["distance", "density", "agreement", "agreement_near", "uniques", "learned"], doc = "as in evaluate" }
named_by = { type = "names", default = ["uniques", "learned"], doc = "as in evaluate" }
false_discovery = { type = "number", default = 0.05, doc = "as in exposure" }
scores = { type = "relation", optional = true, columns = ["score"], doc = "as in evaluate" }

[columns]
statistic = "VARCHAR"
value = "DOUBLE"
*/
SELECT statistic, value
FROM evaluated_exposure(
  synthetic := synthetic, train := train, holdout := holdout, attack := $attack, named_by := $named_by,
  false_discovery := $false_discovery, scores := scores
)
WHERE variant IS NULL
