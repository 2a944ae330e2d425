/*
summary = "The distribution of DCR of synthetic to train, with that of the holdout to train and of train within itself."
source = "Quantiles interpolate linearly."
options = ["distance", "unit.unit", "unit.shared_units"]
reads.units = ["synthetic", "train", "holdout"]
order = ["position"]
example = { synthetic = "synthetic", train = "train", holdout = "holdout", metric = "manhattan", scaling = "robust", exclude = ["id"] }
tables = ["synthetic", "train", "holdout?"]

[columns]
comparison = "VARCHAR: synthetic_train, holdout_train (with a holdout), train_train (each record against the others)"
n = "BIGINT, number of records; with unit, of persons, each measured by the mean over its rows"
min = "DOUBLE"
p01 = "DOUBLE, the 1st percentile"
p05 = "DOUBLE"
p25 = "DOUBLE"
median = "DOUBLE"
p75 = "DOUBLE"
mean = "DOUBLE"
max = "DOUBLE"
share_zero = "DOUBLE, the share of records at distance 0"
*/
SELECT *
FROM summary(measured := measured(synthetic := synthetic, train := train, holdout := holdout, which := 'dcr'))
WHERE $unit IS NULL

UNION ALL

SELECT *
FROM summary(measured := measured_of_persons(synthetic := synthetic, train := train, holdout := holdout))
WHERE $unit IS NOT NULL
