/*
summary = "The number of records of synthetic and of train in each cell of all columns, and its contribution to pMSE."
part = true
tables = ["synthetic", "train"]

[parameters]
bins = { type = "integer", default = 5, doc = "quantile bins of train" }
*/
WITH cells AS (
  SELECT each(compared, this_column), sum(synthetic) AS synthetic, sum(train) AS train
  FROM coded(synthetic := synthetic, train := train, bins := $bins)
  GROUP BY each(compared, this_column)
),
propensities AS (
  SELECT
    each(compared, cells.this_column),
    CAST(cells.synthetic AS BIGINT) AS synthetic,
    CAST(cells.train AS BIGINT) AS train,
    CAST(cells.synthetic AS DOUBLE) / (cells.synthetic + cells.train) AS propensity,
    CAST(sizes.synthetic AS DOUBLE) / (sizes.synthetic + sizes.train) AS expected,
    CAST(cells.synthetic + cells.train AS DOUBLE) / (sizes.synthetic + sizes.train) AS share
  FROM cells
  CROSS JOIN sizes(synthetic := synthetic, train := train) AS sizes
)
SELECT
  each(compared, this_column),
  synthetic,
  train,
  propensity,
  share * (propensity - expected) * (propensity - expected) AS added
FROM propensities
