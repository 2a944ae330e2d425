/*
summary = "The people of train about whom synthetic adds evidence to the releases before it, under one attack, with the record that does."
part = true
tables = ["synthetic", "train", "holdout"]

[parameters]
attack = { type = "text", default = "agreement", doc = "as in exposure" }
k = { type = "integer", default = 1, doc = "as in exposure" }
*/
SELECT own.first_record, own.record, own.synthetic
FROM scored(
  synthetic := synthetic, train := train, holdout := holdout, attack := $attack, k := $k, released := 'alone'
) AS own
JOIN scored(
  synthetic := synthetic, train := train, holdout := holdout, attack := $attack, k := $k, released := 'union'
) AS united ON united.side = own.side AND united.first_record = own.first_record
JOIN scored(
  synthetic := synthetic, train := train, holdout := holdout, attack := $attack, k := $k, released := 'before'
) AS before ON before.side = own.side AND before.first_record = own.first_record
WHERE own.side = 'train' AND own.synthetic IS NOT NULL AND united.score > before.score AND NOT $attack = 'learned'

UNION ALL

-- The scores of two classifiers cannot be compared: of learned, agreement decides, which ends when no record is closer.
SELECT own.first_record, own.record, own.synthetic
FROM scored(
  synthetic := synthetic, train := train, holdout := holdout, attack := 'agreement', k := $k, released := 'alone'
) AS own
JOIN scored(
  synthetic := synthetic, train := train, holdout := holdout, attack := 'agreement', k := $k, released := 'union'
) AS united ON united.side = own.side AND united.first_record = own.first_record
JOIN scored(
  synthetic := synthetic, train := train, holdout := holdout, attack := 'agreement', k := $k, released := 'before'
) AS before ON before.side = own.side AND before.first_record = own.first_record
WHERE own.side = 'train' AND own.synthetic IS NOT NULL AND united.score > before.score AND $attack = 'learned'
