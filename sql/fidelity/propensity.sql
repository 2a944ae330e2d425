/*
summary = "Can synthetic and real records be told apart by what they are? The mean squared error of propensities in a table of cells, beside its expectation."
source = "pMSE: Woo et al., Journal of Privacy and Confidentiality 1 (2009); its expectation: Snoke et al., JRSS A 181 (2018); in tables: Raab, Nowok and Dibben, arXiv 2109.12717."
options = ["distance.columns", "distance.exclude", "distance.numeric", "distance.categorical", "distance.key"]
compares = true

[parameters]
synthetic = { type = "relation", doc = "the synthetic table" }
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
bins = { type = "integer", default = 5, minimum = 1, maximum = 500, doc = "number of quantile bins of train for numbers and times; values outside the range of train have a separate bin, and so do missing values" }

[columns]
pmse = "DOUBLE, the mean over all records of the squared difference between the share of synthetic in the cell and in all; NULL where a table has no rows"
expected = "DOUBLE, of a table drawn from what train was drawn from, given the number of cells: (cells - 1) c (1 - c)^2 / N, c the share of synthetic"
ratio = "DOUBLE, pmse / expected; NULL where there is one cell only"
cells = "BIGINT, combinations of bins and categories that a record of either table has"
*/
WITH summed AS (
  SELECT exact_sum(added) AS pmse, count(*) AS cells
  FROM propensity_counts(synthetic, train, $bins)
),
beside AS (
  SELECT
    CASE WHEN sizes.synthetic > 0 AND sizes.train > 0 THEN summed.pmse END AS pmse,
    CASE
      WHEN sizes.synthetic > 0 AND sizes.train > 0 THEN
        (summed.cells - 1) * (CAST(sizes.synthetic AS DOUBLE) / (sizes.synthetic + sizes.train))
        * (CAST(sizes.train AS DOUBLE) / (sizes.synthetic + sizes.train))
        * (CAST(sizes.train AS DOUBLE) / (sizes.synthetic + sizes.train)) / (sizes.synthetic + sizes.train)
    END AS expected,
    summed.cells
  FROM summed
  CROSS JOIN sizes(synthetic := synthetic, train := train) AS sizes
)
SELECT pmse, expected, pmse / nullif(expected, 0) AS ratio, cells
FROM beside
