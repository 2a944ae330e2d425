/*
summary = "The QualityReport of SDMetrics: the similarity to train of each column and each pair of columns, and the overall score."
source = """\
SDMetrics 0.32: KSComplement, TVComplement, CorrelationSimilarity, ContingencySimilarity. Problems: \
missing values of a column are ignored; for a mixed pair, the numbers of each table are binned by its own range, so \
that the same bin has different values in both tables, and the maximum shares a bin with missing values; pairs with a \
weak association in train are ignored, even if synthetic has a strong one; there is no reference value for new real \
rows; large tables are sampled without a seed (here never). Use fidelity and fidelity_summary."""
options = ["distance.columns", "distance.exclude", "distance.numeric", "distance.categorical", "distance.key"]
reads.compares = true
order = ["place", "first", "second"]
example = { synthetic = "synthetic", train = "train", exclude = ["id"] }
tables = ["synthetic", "train"]

[parameters]

correlation_threshold = { type = "number", default = 0.5, minimum = 0, maximum = 1, doc = "pairs of numbers count only if their correlation in train is above this; 0 in older versions of the tool" }
association_threshold = { type = "number", default = 0.3, minimum = 0, maximum = 1, doc = "other pairs count only if Cramer's V in train is above this; 0 in older versions" }

[columns]
property = "VARCHAR: overall, column_shapes, column_pair_trends"
columns = "VARCHAR[], the column or the pair; empty for the score of a property and for overall"
measure = "VARCHAR, the tool's name of the measure; NULL for a score"
score = "DOUBLE, from 0 to 1; NULL if it is undefined (a constant column, a column without values), or the pair is below its threshold"
*/
WITH counted AS (
  SELECT
    this_position AS position,
    this_column AS value,
    CAST(sum(synthetic) AS DOUBLE) AS synthetic,
    CAST(sum(train) AS DOUBLE) AS train
  FROM each_column(numeric, together(synthetic := synthetic, train := train))
  WHERE this_column IS NOT NULL
  GROUP BY this_column
),
curves AS (
  SELECT
    position,
    abs(
      sum(synthetic) OVER (PARTITION BY position ORDER BY value ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
      / nullif(sum(synthetic) OVER (PARTITION BY position), 0)
      - sum(train) OVER (PARTITION BY position ORDER BY value ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
      / nullif(sum(train) OVER (PARTITION BY position), 0)
    ) AS gap
  FROM counted
),
-- A category that train lacks counts as a millionth of a record there.
categories AS (
  SELECT
    position,
    CAST(synthetic AS DOUBLE) AS synthetic,
    CASE WHEN train > 0 THEN CAST(train AS DOUBLE) ELSE 0.000001 END AS train,
    sum(CAST(synthetic AS DOUBLE)) OVER (PARTITION BY position) AS all_synthetic,
    sum(CASE WHEN train > 0 THEN CAST(train AS DOUBLE) ELSE 0.000001 END) OVER (PARTITION BY position) AS all_train,
    sum(train) OVER (PARTITION BY position) AS train_present
  FROM frequencies(synthetic := synthetic, train := train)
  WHERE category IS NOT NULL
),
ends AS (
  SELECT
    synthetic,
    each(numeric, this_least := min(this_column)),
    each(numeric, this_most := max(this_column)),
    each(numeric, this_range := max(this_column) - min(this_column))
  FROM together(synthetic := synthetic, train := train)
  GROUP BY synthetic
),
-- Ten bins of equal width over the range of each table; the maximum is above all of them, and so are missing values.
binned AS (
  SELECT
    pooled.synthetic,
    pooled.record,
    each(numeric,
      CASE
        WHEN pooled.this_column IS NULL THEN 10
        WHEN ends.this_range = 0 THEN 5
        WHEN pooled.this_column >= ends.this_most THEN 10
        ELSE total(numbers(1, 9),
          CASE WHEN this_value * (ends.this_range / 10) + ends.this_least <= pooled.this_column THEN 1 ELSE 0 END
        )
      END
    ),
    each(categorical, pooled.this_column)
  FROM together(synthetic := synthetic, train := train) AS pooled
  JOIN ends ON ends.synthetic = pooled.synthetic
),
bins AS (
  SELECT synthetic, record, CAST(this_position AS BIGINT) AS position, CAST(this_column AS BIGINT) AS bin
  FROM each_column(numeric, binned)
),
texts AS (
  SELECT synthetic, record, CAST(this_position AS BIGINT) AS position, this_column AS category
  FROM each_column(categorical, binned)
),
mixed AS (
  SELECT
    bins.position AS number,
    texts.position AS text,
    bins.bin,
    texts.category,
    sum(bins.synthetic) AS synthetic,
    sum(1 - bins.synthetic) AS train
  FROM bins
  JOIN texts ON texts.synthetic = bins.synthetic AND texts.record = bins.record
  GROUP BY bins.position, texts.position, bins.bin, texts.category
),
-- The expected counts of the cells of a pair from row and column sums, only for train.
expected AS (
  SELECT
    first, second, n,
    CAST(sum(n) OVER (PARTITION BY first, second, one) AS DOUBLE) AS of_one,
    CAST(sum(n) OVER (PARTITION BY first, second, two) AS DOUBLE) AS of_two,
    dense_rank() OVER (PARTITION BY first, second ORDER BY one) AS place_of_one,
    dense_rank() OVER (PARTITION BY first, second ORDER BY two) AS place_of_two
  FROM (
    SELECT
      least(number, text) AS first, greatest(number, text) AS second,
      bin AS one, CAST(dense_rank() OVER (PARTITION BY number, text ORDER BY category) AS BIGINT) AS two, CAST(train AS BIGINT) AS n
    FROM mixed
    WHERE train > 0

    UNION ALL

    SELECT
      CAST(found.first AS BIGINT), CAST(found.second AS BIGINT), CAST(found.first_code AS BIGINT),
      CAST(found.second_code AS BIGINT), CAST(found.train AS BIGINT)
    FROM cells(codes := coded(synthetic := synthetic, train := train), of := 2) AS found
    JOIN names() AS one ON one.position = found.first
    JOIN names() AS two ON two.position = found.second
    WHERE one.role = 'categorical' AND two.role = 'categorical' AND found.train > 0
  ) AS pairs
),
associations AS (
  SELECT
    first,
    second,
    sqrt(
      greatest(sum(n * (n / of_one) / of_two) - 1, 0.0)
      / nullif(least(max(place_of_one), max(place_of_two)) - 1, 0)
    ) AS association
  FROM expected
  GROUP BY first, second
),
contingencies AS (
  SELECT variation.first, variation.second, 1 - variation.distance AS score
  FROM variation(synthetic := synthetic, train := train, of := 2) AS variation
  JOIN names() AS one ON one.position = variation.first
  JOIN names() AS two ON two.position = variation.second
  WHERE one.role = 'categorical' AND two.role = 'categorical'

  UNION ALL

  SELECT
    least(mixed.number, mixed.text) AS first, greatest(mixed.number, mixed.text) AS second,
    1 - sum(
      abs(CAST(mixed.synthetic AS DOUBLE) / nullif(sizes.synthetic, 0) - CAST(mixed.train AS DOUBLE) / nullif(sizes.train, 0))
    ) / 2 AS score
  FROM mixed
  CROSS JOIN sizes(synthetic := synthetic, train := train) AS sizes
  GROUP BY mixed.number, mixed.text
),
scores AS (
  SELECT 1 AS place, CAST(position AS BIGINT) AS first, CAST(NULL AS BIGINT) AS second, 'KSComplement' AS measure, 1 - max(gap) AS score
  FROM curves
  GROUP BY position

  UNION ALL

  SELECT
    1, position, NULL, 'TVComplement',
    CASE
      WHEN max(train_present) > 0 AND max(all_synthetic) > 0
      THEN 1 - sum(abs(synthetic / nullif(all_synthetic, 0) - train / all_train)) / 2
    END
  FROM categories
  GROUP BY position

  UNION ALL

  SELECT
    3, first, second, 'CorrelationSimilarity',
    CASE WHEN $correlation_threshold = 0 OR abs(train) > $correlation_threshold THEN 1 - abs(synthetic - train) / 2 END
  FROM correlations(synthetic := synthetic, train := train)

  UNION ALL

  SELECT
    3, contingencies.first, contingencies.second, 'ContingencySimilarity',
    CASE
      WHEN $association_threshold = 0 OR associations.association > $association_threshold THEN contingencies.score
    END
  FROM contingencies
  LEFT JOIN associations ON associations.first = contingencies.first AND associations.second = contingencies.second
),
properties AS (
  SELECT place, CASE place WHEN 1 THEN 'column_shapes' ELSE 'column_pair_trends' END AS property, exact_mean(score) AS score
  FROM scores
  GROUP BY place
)
SELECT
  0 AS place, CAST(NULL AS BIGINT) AS first, CAST(NULL AS BIGINT) AS second, 'overall' AS property,
  list_filter([CAST(NULL AS VARCHAR)], lambda name: name IS NOT NULL) AS columns, CAST(NULL AS VARCHAR) AS measure,
  exact_mean(score) AS score
FROM properties

UNION ALL

SELECT
  place, NULL, NULL, property, list_filter([CAST(NULL AS VARCHAR)], lambda name: name IS NOT NULL), NULL, score
FROM properties

UNION ALL

SELECT
  scores.place + 1, scores.first, scores.second,
  CASE scores.place WHEN 1 THEN 'column_shapes' ELSE 'column_pair_trends' END,
  list_filter([one.name, two.name], lambda name: name IS NOT NULL), scores.measure, scores.score
FROM scores
JOIN names() AS one ON one.position = scores.first
LEFT JOIN names() AS two ON two.position = scores.second
