/*
summary = "Are distances still meaningful? The nearest distances in train compared with those of any two records, and the intrinsic dimension."
source = "Contrast of distances: Beyer et al., ICDT 1999; intrinsic dimension by the two nearest neighbors: Facco et al., Scientific Reports 7 (2017)."
options = ["distance.columns", "distance.exclude", "distance.numeric", "distance.categorical", "distance.weights", "distance.key"]
reads.compares = true
example = { train = "train", exclude = ["id"], weights = { n = 2.0 } }
tables = ["train"]

[columns]
records = "BIGINT"
columns = "BIGINT, number of compared columns"
effective_columns = "DOUBLE, the number of columns with equal shares that would have the same concentration: 1 / the sum of squared shares"
mean_distance = "DOUBLE, the mean Gower distance over all pairs of records"
mean_nearest = "DOUBLE, the mean distance of a record to its nearest other record"
contrast = "DOUBLE, mean_nearest / mean_distance: near 0 if records have close neighbors, near 1 if any two records are about equally far apart, so that distances mean little"
intrinsic_dimension = "DOUBLE, estimated from the ratio of the distances to the second and the first neighbor; records with duplicates are left out; NULL if no second neighbor is farther than the first"
*/
WITH columns AS (
  SELECT
    count(*) AS columns,
    exact_sum(mean_difference * share_of(weight, heaviest)) / exact_sum(share_of(weight, heaviest)) AS mean_distance,
    1 / nullif(exact_sum(share * share), 0) AS effective_columns
  FROM (
    SELECT
      found.mean_difference,
      found.share,
      named.weight,
      max(named.weight) OVER () AS heaviest
    FROM dimension_columns(train) AS found
    JOIN (
      SELECT this_name AS name, CAST(this_weight AS DOUBLE) AS weight
      FROM each_column(compared)
    ) AS named ON named.name = found.column_name
  ) AS weighted
),
pairs AS (
  SELECT
    record,
    max(CASE WHEN rank = 1 THEN distance END) AS first,
    max(CASE WHEN rank = 2 THEN distance END) AS second
  FROM nearest(queries := train, reference := train, train := train, k := 2, exclude_self := true)
  GROUP BY record
),
ratios AS (
  SELECT
    first,
    CASE WHEN first > 0 AND second > 0 THEN ln(second / first) END AS ratio,
    max(CASE WHEN first > 0 AND second > 0 THEN ln(second / first) END) OVER () AS largest
  FROM pairs
),
neighbors AS (
  SELECT exact_mean(first) AS mean_nearest, 1 / nullif(exact_mean_up_to(ratio, largest), 0) AS dimension
  FROM ratios
),
counted AS (
  SELECT count(*) AS records
  FROM encoded(train)
)
SELECT
  counted.records,
  columns.columns,
  columns.effective_columns,
  columns.mean_distance,
  neighbors.mean_nearest,
  neighbors.mean_nearest / nullif(columns.mean_distance, 0) AS contrast,
  CASE WHEN neighbors.dimension > 0 AND isfinite(neighbors.dimension) THEN neighbors.dimension END AS intrinsic_dimension
FROM counted
CROSS JOIN columns
CROSS JOIN neighbors
