/*
summary = "DCR and NNDR of synthetic to train, compared with those of real rows: differences, scores and bands (not month to month: changes; not table to table: candidates)."
source = "Test-train comparison of privacy metrics, with bands at 10 % and 50 %."
options = ["distance"]
order = ["position"]
example = { synthetic = "synthetic", train = "train", holdout = "holdout", statistic = "mean", key = "id" }
tables = ["synthetic", "train", "holdout?"]

[parameters]
holdout = { doc = "real rows that it never saw; without them, the baseline is train within itself" }
statistic = { type = "text", default = "median", choices = ["median", "mean"], doc = "the statistic that is compared" }
k = { type = "integer", default = 5, minimum = 1, doc = "as in nndr" }

[columns]
metric = "VARCHAR: dcr, nndr_second, nndr_within_synthetic, nndr_local, nndr_global"
baseline = "VARCHAR: holdout or train"
baseline_value = "DOUBLE, the statistic of the baseline to train"
synthetic_value = "DOUBLE, the statistic of synthetic to train"
difference = "DOUBLE, baseline_value - synthetic_value; positive if synthetic is closer to train than real rows are"
difference_percent = "DOUBLE, difference in percent of baseline_value; NULL, like scores and band, if that is 0 (real rows repeat each other) or one of the two values is infinite"
privacy_score = "DOUBLE, 100 - difference_percent"
privacy_score_clipped = "DOUBLE, the same, clipped to [0, 100]"
band = "VARCHAR, expected privacy: high (difference below 10 %), medium, or low (above 50 %)"
*/
WITH found AS (
  SELECT metric, position, comparison, CASE $statistic WHEN 'median' THEN median ELSE mean END AS value
  FROM statistics(
    measured := measured(synthetic := synthetic, train := train, holdout := holdout, k := $k, baseline_alone := true)
  )
)
SELECT *
FROM differences(found := found)
