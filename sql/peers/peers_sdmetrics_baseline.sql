/*
summary = "DCRBaselineProtection of SDMetrics: the median distance of synthetic records to train, as a share of that of records drawn at random, at most 1."
source = "SDMetrics 0.32, single_table.privacy. Problems: values drawn uniformly and independently from the range of each column are far from all real records, so almost every table scores 1; the tool uses no seed, so its results differ between runs. Use comparison, whose baseline is real rows."
options = ["distance.columns", "distance.exclude", "distance.numeric", "distance.categorical", "distance.key", "seed"]
reads.compares = true
gives.number = "score"
example = { synthetic = "synthetic", train = "train", exclude = ["id"], seed = 3 }
tables = ["synthetic", "train"]

[columns]
score = "DOUBLE, from 0 to 1; NULL where the median of random records is 0"
synthetic_median = "DOUBLE, the median distance of a synthetic record to its closest in train"
random_median = "DOUBLE, that of as many random records, with the share of missing values of each column in train"
*/
-- Two random numbers for each value, from seed, record and column: whether it is missing, and which value it is.
WITH lots AS (
  SELECT
    record,
    each(compared, this_center := drawn(2 * (record * 1000 + this_position), $seed)),
    each(compared, this_spread := drawn(2 * (record * 1000 + this_position) + 1, $seed) / 2147483647.0)
  FROM encoded(synthetic)
),
totals AS (
  SELECT
    count(*) AS n,
    each(compared, this_center := count(*) - count(this_column)),
    each(numeric, this_least := min(this_column)),
    each(numeric, this_range := max(this_column) - min(this_column)),
    each(numeric, this_spread := max(abs(this_column - floor(this_column)))),
    each(categorical, this_most := count(DISTINCT this_column))
  FROM encoded(train)
),
choices AS (
  SELECT
    position,
    category,
    row_number() OVER (PARTITION BY position ORDER BY CAST(category AS VARCHAR) COLLATE C) - 1 AS place
  FROM frequencies(synthetic := synthetic, train := train)
  WHERE train > 0 AND category IS NOT NULL
),
random AS (
  SELECT
    lots.record,
    each(numeric,
      CASE
        WHEN lots.this_center * totals.n < totals.this_center * 2147483647 THEN NULL
        -- Integers remain integers, including the maximum.
        WHEN totals.this_spread = 0 THEN totals.this_least + floor(lots.this_spread * (totals.this_range + 1))
        ELSE totals.this_least + lots.this_spread * totals.this_range
      END
    ),
    each(categorical,
      CASE WHEN lots.this_center * totals.n >= totals.this_center * 2147483647 THEN this_joined.category END
    )
  FROM lots
  CROSS JOIN totals
  LEFT JOIN each_joined(categorical, choices) AS this_joined
    ON this_joined.position = this_position
    AND this_joined.place = CAST(floor(lots.this_spread * totals.this_most) AS BIGINT)
  ORDER BY lots.record
),
medians AS (
  SELECT
    (
      SELECT quantile_cont(distance, 0.5)
      FROM nearest(queries := synthetic, reference := train, train := train, k := 1)
    ) AS synthetic_median,
    (
      SELECT quantile_cont(distance, 0.5)
      FROM nearest(queries := random, reference := encoded(train), train := encoded(train), k := 1)
    ) AS random_median
)
SELECT
  CASE WHEN synthetic_median > random_median AND random_median > 0 THEN 1.0 ELSE synthetic_median / nullif(random_median, 0) END
    AS score,
  synthetic_median,
  random_median
FROM medians
