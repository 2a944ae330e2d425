/*
summary = "The encoded records of synthetic, train and holdout in one table: SynthEval scales by all of them."
part = true
tables = ["synthetic", "train", "holdout?"]
*/
SELECT record, each(compared, this_column) FROM encoded(synthetic)

UNION ALL

SELECT record, each(compared, this_column) FROM encoded(train)

UNION ALL

SELECT record, each(compared, this_column) FROM encoded(holdout)
WHERE $holdout IS NOT NULL
