/*
summary = "The total variation distance of each categorical column, from synthetic to train and from the holdout to train."
part = true
run.few = true
tables = ["synthetic", "train", "holdout?"]
*/
WITH summed AS (
  SELECT
    found.position,
    sum(abs(CAST(found.synthetic AS HUGEINT) * sizes.train - CAST(found.train AS HUGEINT) * sizes.synthetic)) AS synthetic,
    sum(abs(CAST(found.holdout AS HUGEINT) * sizes.train - CAST(found.train AS HUGEINT) * sizes.holdout)) AS holdout
  FROM frequencies(synthetic, train, holdout) AS found
  CROSS JOIN sizes(synthetic, train, holdout) AS sizes
  GROUP BY found.position
)
SELECT
  summed.position,
  CAST(summed.synthetic AS DOUBLE) / nullif(2 * CAST(sizes.synthetic AS DOUBLE) * sizes.train, 0) AS distance,
  CAST(summed.holdout AS DOUBLE) / nullif(2 * CAST(sizes.holdout AS DOUBLE) * sizes.train, 0) AS holdout_distance
FROM summed
CROSS JOIN sizes(synthetic, train, holdout) AS sizes
