/*
summary = "The input of a user's own attack: the compared columns of all tables, unchanged."
options = ["distance", "attack.hints", "unit"]
part = true
gives.columns_of = "compared"
reads.compares = true
reads.vectors = true
reads.units = ["train", "holdout"]
order = ["side", "record"]
tables = ["synthetic", "train", "holdout?"]

[columns]
side = "VARCHAR, synthetic, train or holdout"
record = "BIGINT, the record's 0-based position in scan order"
*/
SELECT 'synthetic' AS side, this_record AS record, each(compared, raw_value(this_column))
FROM synthetic

UNION ALL

SELECT 'train' AS side, this_record AS record, each(compared, raw_value(this_column))
FROM train

UNION ALL

SELECT 'holdout' AS side, this_record AS record, each(compared, raw_value(this_column))
FROM holdout
WHERE $holdout IS NOT NULL
