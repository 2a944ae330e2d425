/*
summary = "The people of train about whom synthetic adds evidence to the releases before it, under each attack, with the record that does."
part = true
tables = ["synthetic", "train", "holdout"]

[parameters]
attack = { type = "names", default = ["agreement"], doc = "as in exposure" }
k = { type = "integer", default = 1, doc = "as in exposure" }
*/
SELECT this_value AS attack, found.first_record, found.record, found.synthetic
FROM each_value($attack)
CROSS JOIN added_by(synthetic := synthetic, train := train, holdout := holdout, attack := this_value, k := $k) AS found
