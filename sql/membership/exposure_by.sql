/*
summary = "Who is at risk: how many people can be identified as members of train, by the values of their columns and by how isolated they are."
source = "Groups of people compared with all others: hypergeometric, Holm over groups; intervals of ratios by the logarithm: Katz et al., Biometrics 34 (1978)."
options = ["attack.near", "attack.width", "attack.combinations", "attack.folds", "attack.hints", "distance.metric", "distance.scaling", "distance.exclude", "distance.numeric", "distance.categorical", "distance.text", "distance.weights", "distance.category_mismatch", "distance.vectors", "distance.key", "unit", "seed"]
reads.common = true
reads.compares = true
reads.units = ["train", "holdout"]
order = ["position", "place"]
example = { synthetic = "synthetic", train = "train", holdout = "holdout", key = "id", columns = ["city", "n"], attack = "ratio", false_discovery = 0.5 }
tables = ["synthetic", "train", "holdout"]

[parameters]
columns = { type = "names", optional = true, own = true, doc = "the columns whose values make the groups, besides isolation; by default all that the tables share" }
attack = { type = "names", default = ["agreement"], choices = ["all", "distance", "ratio", "density", "calibrated", "agreement", "agreement_near", "uniques", "learned", "own"], doc = "as in exposure", beside = { calibrated = "reference", own = "scores" } }
false_discovery = { type = "number", default = 0.05, above = 0, below = 1, doc = "the expected share of false identifications among those identified" }
k = { type = "integer", default = 1, minimum = 1, doc = "the neighbor whose distance the attack density compares" }
reference = { type = "relation", optional = true, doc = "further real rows, in neither train nor the holdout, for the attack calibrated" }
scores = { type = "relation", optional = true, columns = ["score"], doc = "scores of your own attacks, as in exposure" }

[columns]
column_name = "VARCHAR, a column, or isolation: the distance to the fifth nearest real record"
value = "VARCHAR, one of its 20 most frequent values in train; for numbers, times and isolation the range of a fifth of the people, rounded: <= 33, 34 .. 48, >= 78"
people = "BIGINT, people of train with this value; with unit, by their first record"
named = "BIGINT, those of them who can be identified (exposed in exposure)"
listed = "BIGINT, those of them who are listed (sure in exposure)"
rate = "DOUBLE, named / people"
rate_elsewhere = "DOUBLE, the same for all other people"
ratio = "DOUBLE, rate / rate_elsewhere; infinite if nobody else can be identified, NULL if nobody at all can"
lower = "DOUBLE, lower end of the 95 % interval of ratio; NULL where it is 0 or infinite"
upper = "DOUBLE, upper end"
p_adjusted = "DOUBLE, the probability of at least so many by chance (hypergeometric), adjusted for the number of groups (Holm)"
*/
SELECT
  grouped.position, grouped.place, grouped.column_name, grouped.value, grouped.people, grouped.named, grouped.listed,
  grouped.rate, grouped.rate_elsewhere, grouped.ratio, grouped.lower, grouped.upper, grouped.p_adjusted
FROM exposure_ratios(
  groups := exposure_groups(
    synthetic := synthetic, train := train, holdout := holdout, reference := reference, scores := scores, attack := $attack,
    false_discovery := $false_discovery, k := $k
  )
) AS grouped
