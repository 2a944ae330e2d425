/*
summary = "The sections of evaluate that say whom attacks name and give away: what a search asks where the verdict stays bad anyway."
options = ["attack.near", "attack.width", "attack.combinations", "attack.folds", "attack.hints", "distance", "unit", "sequence", "seed", "release", "spending", "internal.real_from"]
reads.units = ["synthetic", "train", "holdout"]
reads.common = true
part = true
run.sets = { lenient = true, judged_apart = true, most = 100_000, by_column = false, noted = false, released = "alone", released_of = ["each"] }
order = ["position", "variant", "place"]
tables = ["synthetic", "train", "holdout"]

[parameters]
attack = { type = "names", default = ["distance", "density", "agreement", "agreement_near", "uniques", "learned"], doc = "as in evaluate" }
named_by = { type = "names", default = ["uniques", "learned"], doc = "as in evaluate" }
false_discovery = { type = "number", default = 0.05, doc = "as in exposure" }
scores = { type = "relation", optional = true, columns = ["score"], doc = "as in evaluate" }

[columns]
section = "VARCHAR"
metric = "VARCHAR"
variant = "VARCHAR"
statistic = "VARCHAR"
value = "DOUBLE"
lower = "DOUBLE"
upper = "DOUBLE"
better = "VARCHAR"
meaning = "VARCHAR"
*/
SELECT section, position, metric, variant, statistic, place, value, lower, upper, better, meaning
FROM evaluated_exposure(
  synthetic := synthetic, train := train, holdout := holdout, attack := $attack, named_by := $named_by,
  false_discovery := $false_discovery, scores := scores
)

UNION ALL

SELECT section, position, metric, variant, statistic, place, value, lower, upper, better, meaning
FROM evaluated_membership(synthetic := synthetic, train := train, holdout := holdout, attack := $attack, scores := scores)
