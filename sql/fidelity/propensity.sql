/*
summary = "Can synthetic and real records be distinguished? The mean squared error of propensities in a contingency table, with its expected value."
source = "pMSE: Woo et al., Journal of Privacy and Confidentiality 1 (2009); its expectation: Snoke et al., JRSS A 181 (2018); in tables: Raab, Nowok and Dibben, arXiv 2109.12717."
options = ["distance.columns", "distance.exclude", "distance.numeric", "distance.categorical", "distance.key"]
reads.compares = true
example = { synthetic = "synthetic", train = "train", columns = ["city", "n"], bins = 2 }
tables = ["synthetic", "train"]

[parameters]
bins = { type = "integer", default = 5, minimum = 1, maximum = 500, doc = "number of quantile bins of train for numbers and times; values outside the range of train have a separate bin, and so do missing values" }

[columns]
pmse = "DOUBLE, the mean over all records of the squared difference between the share of synthetic records in the cell and overall; NULL if a table has no rows"
expected = "DOUBLE, the expected pmse of a table drawn from the same distribution as train, given the number of cells: (cells - 1) c (1 - c)^2 / N, with c the share of synthetic"
ratio = "DOUBLE, pmse / expected; NULL if there is only one cell"
cells = "BIGINT, non-empty combinations of bins and categories"
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
