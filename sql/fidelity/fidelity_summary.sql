/*
summary = "Fidelity by measure, and overall as the mean of columns and pairs, compared with fresh real rows."
source = "As fidelity; overall the mean of the two levels, as in the quality report of SDMetrics."
options = ["distance.columns", "distance.exclude", "distance.numeric", "distance.categorical", "distance.key"]
reads.compares = true
order = ["place"]
example = { synthetic = "synthetic", train = "train", holdout = "holdout", exclude = ["id"], bins = 3 }
tables = ["synthetic", "train", "holdout?"]

[parameters]
bins = { type = "integer", default = 10, minimum = 1, maximum = 500, doc = "as in fidelity" }

[columns]
level = "VARCHAR: overall, column or pair"
measure = "VARCHAR: as in fidelity; NULL for the mean of all similarities of a level, and for the mean of the levels (overall)"
n = "BIGINT, columns or pairs for which it is defined"
mean = "DOUBLE, the mean over these; if measure is NULL, without wasserstein, which is a distance"
worst = "DOUBLE, the smallest similarity, or the largest distance; NULL overall"
worst_columns = "VARCHAR[], the column or pair with this value, the first among ties; empty overall, and if none is defined"
holdout = "DOUBLE, the mean for the holdout; NULL without one"
*/
WITH found AS (
  SELECT
    place,
    level,
    columns,
    measure,
    value,
    holdout,
    row_number() OVER (
      PARTITION BY measure
      ORDER BY CASE WHEN value IS NULL THEN 1 ELSE 0 END, CASE WHEN measure = 'wasserstein' THEN -value ELSE value END,
        first, second
    ) AS badness,
    row_number() OVER (
      PARTITION BY level
      ORDER BY CASE WHEN value IS NULL OR measure = 'wasserstein' THEN 1 ELSE 0 END, value, place, first, second
    ) AS level_badness,
    max(value) OVER (PARTITION BY measure) AS largest,
    max(holdout) OVER (PARTITION BY measure) AS holdout_largest
  FROM fidelity(synthetic, train, holdout, $bins)
),
levels AS (
  SELECT
    level,
    count(value) AS n,
    exact_mean(value) AS mean,
    min(value) AS worst,
    exact_mean(holdout) AS holdout
  FROM found
  WHERE measure <> 'wasserstein'
  GROUP BY level
)
SELECT
  0 AS place, 'overall' AS level, CAST(NULL AS VARCHAR) AS measure, CAST(sum(n) AS BIGINT) AS n, exact_mean(mean) AS mean,
  CAST(NULL AS DOUBLE) AS worst, list_filter([CAST(NULL AS VARCHAR)], lambda name: name IS NOT NULL) AS worst_columns, exact_mean(holdout) AS holdout
FROM levels

UNION ALL

SELECT
  CASE levels.level WHEN 'column' THEN 1 ELSE 20 END, levels.level, NULL, levels.n, levels.mean, levels.worst,
  CASE WHEN levels.n > 0 THEN found.columns ELSE list_filter([CAST(NULL AS VARCHAR)], lambda name: name IS NOT NULL) END, levels.holdout
FROM levels
JOIN found ON found.level = levels.level AND found.level_badness = 1

UNION ALL

SELECT
  means.place, means.level, means.measure, means.n, means.mean, means.worst,
  CASE WHEN means.n > 0 THEN found.columns ELSE list_filter([CAST(NULL AS VARCHAR)], lambda name: name IS NOT NULL) END, means.holdout
FROM (
  SELECT
    CASE level WHEN 'column' THEN 10 ELSE 20 END + place AS place,
    level,
    measure,
    count(value) AS n,
    exact_mean_up_to(value, largest) AS mean,
    CASE WHEN measure = 'wasserstein' THEN max(value) ELSE min(value) END AS worst,
    exact_mean_up_to(holdout, holdout_largest) AS holdout
  FROM found
  GROUP BY place, level, measure
) AS means
JOIN found ON found.measure = means.measure AND found.badness = 1
