/*
summary = "The privacy metrics of SynthEval based on neighbors: mDCR, NNDR, hit rate and NNAA, with the privacy losses that it reports for a holdout."
source = """\
SynthEval 1.7, its distance gower. Problems: values are scaled by the range of all tables together, which \
synthetic influences; a ratio of 0 to 0 is 0, and if the median within train is 0, mDCR hides exact copies; a record's \
own position is excluded whenever both tables are equal, so that a synthetic table equal to train looks private (mDCR 1; \
here 0); missing values are an error. Its eps_risk is peers_syntheval_risk. Use comparison, nndr_summary, hit_rate, \
identifiability and adversarial_accuracy."""
options = ["distance.columns", "distance.exclude", "distance.numeric", "distance.categorical", "distance.key"]
reads.compares = true
run.few = true
example = { synthetic = "synthetic", train = "train", holdout = "holdout", columns = ["city", "n"] }
tables = ["synthetic", "train", "holdout?"]

[parameters]
tolerance = { type = "number", default = 0.03333333333333333, minimum = 0, doc = "for hit_rate: the largest difference between two matching numbers, as a share of the range in train" }

[columns]
mdcr = "DOUBLE, the median distance of synthetic to train / that within train; 1 if both are 0, 0 if only the latter is"
nndr = "DOUBLE, the mean ratio of the distances of a train record to its nearest and second nearest synthetic record"
nndr_privacy_loss = "DOUBLE, nndr of holdout records minus nndr; NULL without a holdout"
hit_rate = "DOUBLE, the share of train records that a synthetic record matches"
nnaa = "DOUBLE, nearest neighbor adversarial accuracy; if a table has at least twice the rows of the other, the tool samples it, which is not done here"
nnaa_privacy_loss = "DOUBLE, nnaa of the holdout minus nnaa; NULL without a holdout"
*/
WITH everybody AS (
  SELECT * FROM everybody(synthetic := synthetic, train := train, holdout := holdout)
),
distances AS (
  SELECT 'to train' AS side, distance
  FROM nearest(queries := synthetic, reference := train, train := everybody, k := 1)

  UNION ALL

  SELECT 'within train' AS side, distance
  FROM nearest(queries := train, reference := train, train := everybody, k := 1, exclude_self := true)
),
medians AS (
  SELECT
    max(CASE WHEN side = 'to train' THEN median END) AS to_train,
    max(CASE WHEN side = 'within train' THEN median END) AS within_train
  FROM (SELECT side, quantile_cont(distance, 0.5) AS median FROM distances GROUP BY side) AS found
),
ratios AS (
  SELECT
    'train' AS side, record, max(CASE WHEN rank = 1 THEN distance END) AS first, max(CASE WHEN rank = 2 THEN distance END) AS second
  FROM nearest(queries := train, reference := synthetic, train := everybody, k := 2)
  GROUP BY record

  UNION ALL

  SELECT
    'holdout' AS side, record, max(CASE WHEN rank = 1 THEN distance END) AS first, max(CASE WHEN rank = 2 THEN distance END) AS second
  FROM nearest(queries := holdout, reference := synthetic, train := everybody, k := 2)
  WHERE $holdout IS NOT NULL
  GROUP BY record
),
mean_ratios AS (
  SELECT
    exact_mean(CASE WHEN side = 'train' THEN first / (second + 1e-16) END) AS of_train,
    exact_mean(CASE WHEN side = 'holdout' THEN first / (second + 1e-16) END) AS of_holdout
  FROM ratios
),
apart AS (
  SELECT 'train' AS side, CASE WHEN to_other_table > to_own_table THEN 1.0 ELSE 0.0 END AS hit
  FROM nearer(records := train, others := synthetic, train := everybody)

  UNION ALL

  SELECT 'synthetic, train', CASE WHEN to_other_table > to_own_table THEN 1.0 ELSE 0.0 END
  FROM nearer(records := synthetic, others := train, train := everybody)

  UNION ALL

  SELECT 'holdout', CASE WHEN to_other_table > to_own_table THEN 1.0 ELSE 0.0 END
  FROM nearer(records := holdout, others := synthetic, train := everybody)
  WHERE $holdout IS NOT NULL

  UNION ALL

  SELECT 'synthetic, holdout', CASE WHEN to_other_table > to_own_table THEN 1.0 ELSE 0.0 END
  FROM nearer(records := synthetic, others := holdout, train := everybody)
  WHERE $holdout IS NOT NULL
),
accuracies AS (
  SELECT
    (exact_mean(CASE WHEN side = 'train' THEN hit END) + exact_mean(CASE WHEN side = 'synthetic, train' THEN hit END)) / 2 AS of_train,
    (exact_mean(CASE WHEN side = 'holdout' THEN hit END) + exact_mean(CASE WHEN side = 'synthetic, holdout' THEN hit END)) / 2 AS of_holdout
  FROM apart
)
SELECT
  CASE
    WHEN medians.within_train = 0 AND medians.to_train = 0 THEN 1.0
    WHEN medians.within_train = 0 THEN 0.0
    ELSE medians.to_train / medians.within_train
  END AS mdcr,
  mean_ratios.of_train AS nndr,
  mean_ratios.of_holdout - mean_ratios.of_train AS nndr_privacy_loss,
  hits.share AS hit_rate,
  accuracies.of_train AS nnaa,
  accuracies.of_holdout - accuracies.of_train AS nnaa_privacy_loss
FROM medians
CROSS JOIN mean_ratios
CROSS JOIN accuracies
CROSS JOIN hit_rate(synthetic := synthetic, train := train, tolerance := $tolerance) AS hits
