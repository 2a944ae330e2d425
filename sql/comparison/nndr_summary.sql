/*
summary = "The distribution of NNDR of synthetic to train, with that of the holdout to train and of train within itself."
source = "Quantiles interpolate linearly; an infinite ratio is larger than any other."
options = ["distance"]
order = ["position"]
example = { synthetic = "synthetic", train = "train", holdout = "holdout", variant = "global", k = 3, columns = ["n", "city"] }
tables = ["synthetic", "train", "holdout?"]

[parameters]
variant = { type = "text", default = "second", choices = ["second", "within_synthetic", "local", "global"], doc = "as in nndr" }
k = { type = "integer", default = 5, minimum = 1, doc = "as in nndr" }

[columns]
comparison = "VARCHAR: synthetic_train, holdout_train (with a holdout), train_train (each record against the others)"
n = "BIGINT, records measured"
min = "DOUBLE"
p01 = "DOUBLE, the 1st percentile"
p05 = "DOUBLE"
p25 = "DOUBLE"
median = "DOUBLE"
p75 = "DOUBLE"
mean = "DOUBLE"
max = "DOUBLE"
share_zero = "DOUBLE, the share of records with ratio 0"
*/
SELECT *
FROM summary(
  measured := measured(
    synthetic := synthetic, train := train, holdout := holdout, which := $variant, k := $k, partial_within := true
  )
)
