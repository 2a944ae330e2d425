/*
summary = "DCROverfittingProtection of SDMetrics: twice the share of synthetic records that are not closer to train than to the holdout, at most 1."
source = "SDMetrics 0.32, single_table.privacy. Problems: distances to train and to the holdout are each scaled by the range of that table, so they have different units; a tie counts as closer to the holdout; different sizes of the tables are not corrected for; there is no confidence interval. Use holdout_share."
options = ["distance.columns", "distance.exclude", "distance.numeric", "distance.categorical", "distance.key"]
reads.compares = true
gives.number = "score"
example = { synthetic = "synthetic", train = "train", holdout = "holdout", exclude = ["id"] }
tables = ["synthetic", "train", "holdout"]

[parameters]
holdout = { doc = "real rows that were not used for training, which the tool calls validation data" }

[columns]
score = "DOUBLE, from 0 to 1; NULL where synthetic has no rows"
closer_to_training = "DOUBLE, the share of synthetic records that are closer to train"
closer_to_holdout = "DOUBLE, all others"
*/
WITH shares AS (
  SELECT
    CAST(count(CASE WHEN to_train.distance < to_holdout.distance THEN 1 END) AS DOUBLE) / nullif(count(*), 0) AS share
  FROM nearest(queries := synthetic, reference := train, train := train, k := 1) AS to_train
  JOIN nearest(queries := synthetic, reference := holdout, train := holdout, k := 1) AS to_holdout
    ON to_holdout.record = to_train.record
)
SELECT
  CASE WHEN share < 0.5 THEN 1.0 ELSE (1 - share) * 2 END AS score,
  share AS closer_to_training,
  1 - share AS closer_to_holdout
FROM shares
