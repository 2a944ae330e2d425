/*
summary = "The total variation distance of the marginals of one, two or three columns: of synthetic to train, and of the holdout to train."
part = true
few = true

[parameters]
synthetic = { type = "relation", doc = "the synthetic table" }
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
holdout = { type = "relation", optional = true, doc = "real rows that it never saw" }
of = { type = "integer", default = 1, doc = "columns of a marginal" }
bins = { type = "integer", default = 10, doc = "as in coded" }
categories = { type = "integer", optional = true, doc = "as in coded" }
*/
-- Differences of counts times sizes are whole numbers, whose sum is exact.
WITH summed AS (
  SELECT
    cells.first,
    cells.second,
    cells.third,
    sum(abs(CAST(cells.synthetic AS HUGEINT) * sizes.train - CAST(cells.train AS HUGEINT) * sizes.synthetic)) AS synthetic,
    sum(abs(CAST(cells.holdout AS HUGEINT) * sizes.train - CAST(cells.train AS HUGEINT) * sizes.holdout)) AS holdout
  FROM cells(coded(synthetic, train, holdout, $bins, $categories), $of) AS cells
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
