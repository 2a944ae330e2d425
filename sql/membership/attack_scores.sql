/*
summary = "The scores of several attacks for what is counted, one attack after the other."
options = ["internal.released"]
part = true
tables = ["synthetic", "train", "holdout"]

[parameters]
reference = { type = "relation", optional = true, doc = "further real rows, for the attack calibrated" }
scores = { type = "relation", optional = true, columns = ["score"], doc = "scores of attacks of the user's own" }
attack = { type = "names", default = ["all"], doc = "as in membership" }
k = { type = "integer", default = 1, doc = "as in membership" }
*/
SELECT this_value AS attack, found.fold, found.side, found.first_record, found.score
FROM each_value($attack)
CROSS JOIN scored(
  synthetic := synthetic, train := train, holdout := holdout, reference := reference, scores := scores, attack := this_value, k := $k
) AS found
