/*
summary = "The total variation distance of the marginals of one, two or three columns, from synthetic to train and from the holdout to train."
part = true
run.few = true
tables = ["synthetic", "train", "holdout?"]

[parameters]
of = { type = "integer", default = 1, doc = "number of columns of a marginal" }
bins = { type = "integer", default = 10, doc = "as in coded" }
categories = { type = "integer", optional = true, doc = "as in coded" }
*/
-- Tables are counted separately, so that several synthetic ones can share the counts of the real ones. All categories
-- that train lacks count as one, which changes no distance from train. Differences of counts * sizes are integers,
-- with exact sums.
WITH alone AS (
  SELECT first, second, third, first_code, second_code, third_code, synthetic, train, holdout
  FROM cells(coded_alone(synthetic, train, dictionary(train := train, categories := $categories), $bins, 1), $of)

  UNION ALL

  SELECT first, second, third, first_code, second_code, third_code, synthetic, train, holdout
  FROM cells(coded_alone(train, train, dictionary(train := train, categories := $categories), $bins, 2), $of)

  UNION ALL

  SELECT first, second, third, first_code, second_code, third_code, synthetic, train, holdout
  FROM cells(coded_alone(holdout, train, dictionary(train := train, categories := $categories), $bins, 3), $of)
  WHERE $holdout IS NOT NULL
),
merged AS (
  SELECT first, second, third, sum(synthetic) AS synthetic, sum(train) AS train, sum(holdout) AS holdout
  FROM alone
  GROUP BY first, second, third, first_code, second_code, third_code
),
summed AS (
  SELECT
    cells.first,
    cells.second,
    cells.third,
    sum(abs(CAST(cells.synthetic AS HUGEINT) * sizes.train - CAST(cells.train AS HUGEINT) * sizes.synthetic)) AS synthetic,
    sum(abs(CAST(cells.holdout AS HUGEINT) * sizes.train - CAST(cells.train AS HUGEINT) * sizes.holdout)) AS holdout
  FROM merged AS cells
  CROSS JOIN sizes(synthetic, train, holdout) AS sizes
  GROUP BY cells.first, cells.second, cells.third
)
SELECT
  summed.first,
  summed.second,
  summed.third,
  CAST(summed.synthetic AS DOUBLE) / nullif(2 * CAST(sizes.synthetic AS DOUBLE) * sizes.train, 0) AS distance,
  CAST(summed.holdout AS DOUBLE) / nullif(2 * CAST(sizes.holdout AS DOUBLE) * sizes.train, 0) AS holdout_distance
FROM summed
CROSS JOIN sizes(synthetic, train, holdout) AS sizes
