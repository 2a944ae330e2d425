/*
summary = "The cells that distinguish synthetic from train most: combinations of bins and categories that are too frequent or too rare in it."
source = "The terms of pMSE, see propensity."
options = ["distance.columns", "distance.exclude", "distance.numeric", "distance.categorical", "distance.key"]
reads.compares = true
order = ["cell", "position"]
example = { synthetic = "synthetic", train = "train", columns = ["city", "n"], bins = 2, worst = 3 }
tables = ["synthetic", "train"]

[parameters]
bins = { type = "integer", default = 5, minimum = 1, maximum = 500, doc = "as in propensity" }
worst = { type = "integer", default = 10, minimum = 1, doc = "number of cells" }

[columns]
cell = "BIGINT, from 1, by descending contribution to pMSE; one row for each of its columns"
column_name = "VARCHAR"
holds = "VARCHAR: category, bin, missing, outside (a number out of the range of train), other (a category without a code)"
category = "VARCHAR, the category, if it holds one"
above = "DOUBLE, the lower end of a bin, which only the first bin includes; seconds for times"
up_to = "DOUBLE, the upper end of a bin"
synthetic = "BIGINT, synthetic records in the cell"
train = "BIGINT, train records in it"
propensity = "DOUBLE, the share of synthetic records in it"
share = "DOUBLE, the contribution of the cell to pMSE, as a share; NULL if pMSE is 0"
*/
WITH ranked AS (
  SELECT
    each(compared, this_column),
    synthetic,
    train,
    propensity,
    added,
    CAST(row_number() OVER (ORDER BY added DESC, each(compared, this_column)) AS BIGINT) AS cell
  FROM propensity_counts(synthetic, train, $bins)
),
worst AS (
  SELECT ranked.*, whole.pmse
  FROM ranked
  CROSS JOIN (SELECT exact_sum(added) AS pmse FROM propensity_counts(synthetic, train, $bins)) AS whole
  WHERE ranked.cell <= $worst
),
bins AS (
  SELECT
    worst.cell,
    this_position AS position,
    worst.this_column AS code,
    CASE
      WHEN worst.this_column = 3 THEN edges.this_least
      ELSE total(numbers(1, $bins), CASE WHEN worst.this_column = 3 + this_value THEN edges.this_edge ELSE 0 END)
    END / this_unit AS above,
    CASE
      WHEN worst.this_column = 3 + $bins THEN edges.this_most
      ELSE total(numbers(1, $bins), CASE WHEN worst.this_column = 2 + this_value THEN edges.this_edge ELSE 0 END)
    END / this_unit AS up_to
  FROM each_column(numeric, worst) AS worst
  CROSS JOIN edges(train, $bins) AS edges
),
categories AS (
  SELECT cell, this_position AS position, CAST(this_column AS BIGINT) AS code
  FROM each_column(categorical, worst)
)
SELECT
  worst.cell,
  names.position,
  names.name AS column_name,
  CASE
    WHEN bins.code = 1 OR categories.code = 1 THEN 'missing'
    WHEN bins.code = 2 THEN 'outside'
    WHEN categories.code = 2 THEN 'other'
    WHEN names.role = 'categorical' THEN 'category'
    ELSE 'bin'
  END AS holds,
  dictionary.category,
  CASE WHEN bins.code > 2 THEN bins.above END AS above,
  CASE WHEN bins.code > 2 THEN bins.up_to END AS up_to,
  worst.synthetic,
  worst.train,
  worst.propensity,
  worst.added / nullif(worst.pmse, 0) AS share
FROM worst
CROSS JOIN names() AS names
LEFT JOIN bins ON bins.cell = worst.cell AND bins.position = names.position
LEFT JOIN categories ON categories.cell = worst.cell AND categories.position = names.position
LEFT JOIN dictionary(synthetic := synthetic, train := train) AS dictionary
  ON dictionary.position = names.position AND dictionary.code = categories.code
