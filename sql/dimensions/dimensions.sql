/*
summary = "Do distances still say something? How near the nearest records of train are beside any two, and on how many dimensions they seem to lie."
source = "Contrast of distances: Beyer et al., ICDT 1999; intrinsic dimension by the two nearest neighbors: Facco et al., Scientific Reports 7 (2017)."
options = ["distance.columns", "distance.exclude", "distance.numeric", "distance.categorical", "distance.weights", "distance.key"]
compares = true

[parameters]
train = { type = "relation", doc = "the real rows that the synthesizer saw" }

[columns]
records = "BIGINT"
columns = "BIGINT, how many are compared"
effective_columns = "DOUBLE, how many columns of equal shares would carry the distance as these do: 1 / the sum of squared shares"
mean_distance = "DOUBLE, Gower's distance of two records on average, over all pairs"
mean_nearest = "DOUBLE, of a record to the nearest other one on average"
contrast = "DOUBLE, mean_nearest / mean_distance: near 0 where records have neighbors, near 1 where any two are as far apart and nearness says nothing"
intrinsic_dimension = "DOUBLE, by how much farther the second neighbor is than the first; records that have a double are left out; NULL where no second neighbor is farther"
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
