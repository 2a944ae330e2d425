/*
summary = "The people of train about whom synthetic adds evidence to the releases before it, under each attack, with the record that does."
part = true
tables = ["synthetic", "train", "holdout"]

[parameters]
attack = { type = "names", default = ["agreement"], doc = "as in exposure" }
k = { type = "integer", default = 1, doc = "as in exposure" }
*/
-- The scores of two classifiers cannot be compared: about learned, each release is taken to add.
SELECT this_value AS attack, own.first_record, own.record, own.synthetic
FROM each_value($attack)
CROSS JOIN scored(
  synthetic := synthetic, train := train, holdout := holdout, attack := this_value, k := $k, released := 'alone'
) AS own
JOIN scored(
  synthetic := synthetic, train := train, holdout := holdout, attack := this_value, k := $k, released := 'union'
) AS united ON united.side = own.side AND united.first_record = own.first_record
JOIN scored(
  synthetic := synthetic, train := train, holdout := holdout, attack := this_value, k := $k, released := 'before'
) AS before ON before.side = own.side AND before.first_record = own.first_record
WHERE own.side = 'train' AND own.synthetic IS NOT NULL AND (united.score > before.score OR this_value = 'learned')
