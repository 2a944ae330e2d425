/*
summary = "The agreement search of an attack: by equality (agreement), or also by nearness (agreement_near); no rows for other attacks."
part = true
tables = ["synthetic", "train", "holdout?"]

[parameters]
attack = { type = "text", default = "agreement", doc = "as in membership" }
*/
SELECT side, record, score, synthetic, own_bits, bits
FROM agreement(synthetic := synthetic, train := train, holdout := holdout, near := 0.0)
WHERE $attack = 'agreement'

UNION ALL

SELECT side, record, score, synthetic, own_bits, bits
FROM agreement(synthetic := synthetic, train := train, holdout := holdout)
WHERE $attack = 'agreement_near'
