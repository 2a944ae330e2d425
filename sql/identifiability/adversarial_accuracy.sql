/*
summary = "How well an adversary who knows all distances distinguishes synthetic records from real ones, and the resulting privacy loss of train."
source = "Nearest neighbor adversarial accuracy and privacy loss: Yale et al., Neurocomputing 416 (2020); interval of the loss: combined from Wilson intervals."
options = ["distance"]
run.few = true
gives.number = "accuracy"
example = { synthetic = "synthetic", train = "train", holdout = "holdout", exclude = ["id"] }
tables = ["synthetic", "train", "holdout?"]

[columns]
accuracy = "DOUBLE, for train and synthetic: 0.5 if they cannot be distinguished, 1 if they always can, 0 if synthetic copies train"
holdout_accuracy = "DOUBLE, for holdout and synthetic; NULL without a holdout, like all columns below"
privacy_loss = "DOUBLE, holdout_accuracy - accuracy: above 0 if synthetic resembles train more than fresh people"
lower = "DOUBLE, lower end of a 95 % interval of privacy_loss"
upper = "DOUBLE, upper end"
*/
WITH apart AS (
  SELECT 'train' AS side, CASE WHEN to_other_table > to_own_table THEN 1 ELSE 0 END AS hit
  FROM nearer(records := train, others := synthetic, train := train)

  UNION ALL

  SELECT 'synthetic, train' AS side, CASE WHEN to_other_table > to_own_table THEN 1 ELSE 0 END AS hit
  FROM nearer(records := synthetic, others := train, train := train)

  UNION ALL

  SELECT 'holdout' AS side, CASE WHEN to_other_table > to_own_table THEN 1 ELSE 0 END AS hit
  FROM nearer(records := holdout, others := synthetic, train := train)
  WHERE $holdout IS NOT NULL

  UNION ALL

  SELECT 'synthetic, holdout' AS side, CASE WHEN to_other_table > to_own_table THEN 1 ELSE 0 END AS hit
  FROM nearer(records := synthetic, others := holdout, train := train)
  WHERE $holdout IS NOT NULL
),
shares AS (
  SELECT side, count(*) AS n, CAST(sum(hit) AS DOUBLE) / count(*) AS share
  FROM apart
  GROUP BY side
),
-- Both halves count with weight 1/2; in a difference, the lower end of train contributes to the upper end.
signed AS (
  SELECT
    side,
    share,
    CASE WHEN side IN ('train', 'synthetic, train') THEN wilson(share, n, 1) ELSE wilson(share, n, -1) END - share AS down,
    CASE WHEN side IN ('train', 'synthetic, train') THEN wilson(share, n, -1) ELSE wilson(share, n, 1) END - share AS up
  FROM shares
),
ends AS (
  SELECT
    sum(CASE WHEN side IN ('train', 'synthetic, train') THEN share / 2 END) AS accuracy,
    sum(CASE WHEN side IN ('holdout', 'synthetic, holdout') THEN share / 2 END) AS holdout_accuracy,
    sqrt(sum(down * down)) / 2 AS down,
    sqrt(sum(up * up)) / 2 AS up
  FROM signed
)
SELECT
  accuracy,
  holdout_accuracy,
  holdout_accuracy - accuracy AS privacy_loss,
  holdout_accuracy - accuracy - down AS lower,
  holdout_accuracy - accuracy + up AS upper
FROM ends
WHERE (
  SELECT is_enough
  FROM enough_of_all(synthetic := synthetic, train := train, holdout := holdout, apart := true, synthetic_apart := true)
)
