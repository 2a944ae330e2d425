/*
summary = "The results of utility.tab() of synthpop: pMSE and related statistics, from one contingency table of the chosen columns."
source = """\
synthpop 1.9 (R), Raab, Nowok and Dibben, arXiv 2109.12717. Problems: S_pMSE is near 1 for a table \
drawn from the model that was fitted to these real rows, but near 2 for new real rows, so real rows look worse \
than they are; with many columns, almost all cells are empty. Use propensity, and marginals for pairs and triples."""
options = ["distance.columns", "distance.exclude", "distance.numeric", "distance.categorical", "distance.key"]
reads.compares = true
run.few = true
example = { synthetic = "synthetic", train = "train", columns = ["city", "n"] }
tables = ["synthetic", "train"]

[parameters]
bins = { type = "integer", default = 5, minimum = 1, maximum = 500, doc = "number of groups for numbers and times, by quantiles of both tables together; a group includes its lower end" }

[columns]
VW = "DOUBLE, the Voas-Williamson statistic"
pMSE = "DOUBLE, the mean squared error of propensities"
df = "BIGINT, non-empty cells - 1"
S_pMSE = "DOUBLE, VW / df; NULL if there is only one cell"
FT = "DOUBLE, the Freeman-Tukey statistic"
JSD = "DOUBLE, the Jensen-Shannon divergence to base 2"
SPECKS = "DOUBLE, the Kolmogorov-Smirnov statistic of the propensities: half the sum of the differences of shares"
dBhatt = "DOUBLE, the Bhattacharyya distance"
*/
WITH pooled AS (
  SELECT synthetic, train, each(compared, this_column)
  FROM together(synthetic := synthetic, train := train)
),
edges AS (
  SELECT
    count(*) AS n,
    each(numeric, each(numbers(1, $bins), this_edge := quantile_cont(this_column, this_share)))
  FROM pooled
),
cells AS (
  SELECT CAST(sum(pooled.synthetic) AS DOUBLE) AS s, CAST(sum(pooled.train) AS DOUBLE) AS d
  FROM pooled
  CROSS JOIN edges
  GROUP BY
    each(categorical, pooled.this_column),
    each(numeric,
      CASE
        WHEN pooled.this_column IS NOT NULL
        THEN total(numbers(1, $bins), CASE WHEN pooled.this_column >= edges.this_edge THEN 1 ELSE 0 END)
      END
    ),
    1 * 0
),
sizes AS (
  SELECT sum(s) AS n_s, sum(d) AS n_d, sum(s) / nullif(sum(s) + sum(d), 0) AS c
  FROM cells
),
addends AS (
  SELECT
    (cells.s - cells.d * sizes.c / (1 - sizes.c)) * (cells.s - cells.d * sizes.c / (1 - sizes.c))
      / ((cells.s + cells.d) * sizes.c) AS vw,
    (sqrt(cells.s) - sqrt(cells.d * sizes.c / (1 - sizes.c))) * (sqrt(cells.s) - sqrt(cells.d * sizes.c / (1 - sizes.c))) AS ft,
    cells.s / sizes.n_s AS q,
    cells.d / sizes.n_d AS p
  FROM cells
  CROSS JOIN sizes
  WHERE sizes.n_s > 0 AND sizes.n_d > 0
),
summed AS (
  SELECT
    sum(vw) AS vw,
    4 * sum(ft) AS ft,
    count(*) - 1 AS df,
    sum(CASE WHEN p > 0 THEN p * ln(2 * p / (p + q)) ELSE 0 END + CASE WHEN q > 0 THEN q * ln(2 * q / (p + q)) ELSE 0 END)
      / (2 * ln(2.0)) AS jsd,
    sum(abs(p - q)) / 2 AS specks,
    sqrt(greatest(1 - sum(sqrt(p * q)), 0.0)) AS bhattacharyya
  FROM addends
)
SELECT
  summed.vw AS "VW",
  summed.vw * sizes.c * (1 - sizes.c) * (1 - sizes.c) / (sizes.n_s + sizes.n_d) AS "pMSE",
  summed.df AS "df",
  summed.vw / nullif(summed.df, 0) AS "S_pMSE",
  summed.ft AS "FT",
  summed.jsd AS "JSD",
  summed.specks AS "SPECKS",
  summed.bhattacharyya AS "dBhatt"
FROM summed
CROSS JOIN sizes
