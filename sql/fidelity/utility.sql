/*
summary = "How useful is synthetic? A random forest trained on it predicts a column of the holdout, compared with one trained on train."
source = "Train on synthetic, test on real: Esteban, Hyland and Rätsch, arXiv 1706.02633. Interval of accuracy: Wilson, JASA 22 (1927)."
options = ["distance.columns", "distance.exclude", "distance.numeric", "distance.categorical", "distance.key", "seed.seed", "forest.trees"]
reads.compares = true
order = ["place"]
example = { synthetic = "synthetic", train = "train", holdout = "holdout", exclude = ["id"], target = "n", trees = 5, seed = 3 }
tables = ["synthetic", "train", "holdout"]

[parameters]
holdout = { doc = "real rows that it never saw, whose target is predicted" }
target = { type = "name", doc = "the column that is predicted from all others" }

[columns]
trained_on = "VARCHAR: train, synthetic, or nothing (always predicting the most frequent category, or the mean, of train)"
measure = "VARCHAR: accuracy (categories) or r2 (numbers and times), the share of explained variance"
n = "BIGINT, holdout records whose target is not missing"
score = "DOUBLE, 1 for no errors; r2 has no lower bound, and is NULL if the holdout has only one value"
lower = "DOUBLE, lower end of a 95 % interval (Wilson; for r2 normal)"
upper = "DOUBLE, upper end"
*/
WITH beside_largest AS (
  SELECT trained_on, error, max(error) OVER (PARTITION BY trained_on) AS largest
  FROM target_errors(synthetic := synthetic, train := train, holdout := holdout, target := $target)
),
means AS (
  SELECT
    trained_on,
    count(*) AS n,
    CAST(count(error) AS DOUBLE) AS known,
    1 - exact_mean_up_to(error, largest) AS score,
    max(largest) * max(largest) * exact_mean(share_of(error, largest) * share_of(error, largest)) AS squares
  FROM beside_largest
  GROUP BY trained_on
),
scored AS (
  SELECT
    means.*,
    names.role,
    -- The standard error of the mean: standard deviation / root of the number.
    sqrt(greatest(squares - (1 - score) * (1 - score), 0.0) / nullif(known - 1, 0)) AS deviation
  FROM means
  CROSS JOIN names() AS names
  WHERE lower(names.name) = lower($target)
)
SELECT
  CASE trained_on WHEN 'train' THEN 1 WHEN 'synthetic' THEN 2 ELSE 3 END AS place,
  trained_on,
  CASE WHEN role = 'categorical' THEN 'accuracy' ELSE 'r2' END AS measure,
  n,
  score,
  CASE WHEN role = 'categorical' THEN wilson(score, known, -1) ELSE score - 1.959963984540054 * deviation END AS lower,
  CASE WHEN role = 'categorical' THEN wilson(score, known, 1) ELSE score + 1.959963984540054 * deviation END AS upper
FROM scored
