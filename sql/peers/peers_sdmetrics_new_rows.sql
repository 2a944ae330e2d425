/*
summary = "NewRowSynthesis of SDMetrics: the share of synthetic records that match no record of train."
source = """\
SDMetrics 0.32, single_table. Problems: the tolerance of a number is a share of the synthetic value itself, \
so 0 matches only 0, and a date matches dates that are months away; with few columns, new real rows match too, but the \
tool does not measure how often. It runs a query for each row. Use copies, and holdout_share or exposure for near \
copies."""
options = ["distance.columns", "distance.exclude", "distance.numeric", "distance.categorical", "distance.key"]
reads.compares = true
gives.number = "score"
example = { synthetic = "synthetic", train = "train", exclude = ["id"], tolerance = 0.2 }
tables = ["synthetic", "train"]

[parameters]
tolerance = { type = "number", default = 0.01, minimum = 0, doc = "the largest difference between a number in train and a matching synthetic one, as a share of the latter's magnitude" }

[columns]
score = "DOUBLE, new_rows / all synthetic records; NULL if synthetic has no rows"
new_rows = "BIGINT, synthetic records without a match; missing matches missing"
matched_rows = "BIGINT, synthetic records with a match"
*/
WITH everybody AS (
  SELECT 1 AS synthetic, record, each(compared, this_column) FROM encoded(synthetic)

  UNION ALL

  SELECT 0 AS synthetic, record, each(compared, this_column) FROM encoded(train)
),
-- Only records of the same class can match: equal categories, and the same numbers missing.
classed AS (
  SELECT
    synthetic,
    record,
    dense_rank() OVER (ORDER BY each(categorical, this_column), each(numeric, this_column IS NULL), 1) AS class,
    each(numeric, this_column)
  FROM everybody
),
originals AS (
  SELECT DISTINCT class, each(numeric, this_column)
  FROM classed
  WHERE synthetic = 0
),
matched AS (
  SELECT DISTINCT asking.record
  FROM classed AS asking
  JOIN originals
    ON originals.class = asking.class
    AND every(numeric,
      originals.this_column IS NULL OR abs(originals.this_column - asking.this_column) <= abs($tolerance * asking.this_column)
    )
  WHERE asking.synthetic = 1
),
counts AS (
  SELECT
    (SELECT count(*) FROM encoded(synthetic)) AS n,
    (SELECT count(*) FROM matched) AS hits
)
SELECT
  CAST(n - hits AS DOUBLE) / nullif(n, 0) AS score,
  n - hits AS new_rows,
  hits AS matched_rows
FROM counts
