/*
summary = "Which columns dominate the distance? The mean difference between two records of train in each column, and its share of the total."
source = "Contributions to Gower's distance over all pairs of records; for numbers, Gini's mean difference."
options = ["distance.columns", "distance.exclude", "distance.numeric", "distance.categorical", "distance.weights", "distance.key"]
reads.compares = true
order = ["place"]
example = { train = "train", exclude = ["id"] }
tables = ["train"]

[columns]
column_name = "VARCHAR, the column; largest share first"
role = "VARCHAR: numeric, temporal or categorical"
mean_difference = "DOUBLE, over all pairs of records: 1 for two different categories, or a value and a missing one; for numbers and times the difference / range; NULL for fewer than two records"
share = "DOUBLE, weight * mean_difference as a share of the sum over all columns; NULL if that is 0"
*/
-- In the sum of differences of v sorted numbers, the i-th is subtracted v - i times and added i - 1 times.
WITH numbers AS (
  SELECT this_position AS position, this_column AS value
  FROM each_column(numeric, encoded(train))
),
placed AS (
  SELECT
    position,
    value,
    CAST(row_number() OVER (PARTITION BY position ORDER BY CASE WHEN value IS NULL THEN 1 ELSE 0 END, value) AS DOUBLE) AS place,
    CAST(count(value) OVER (PARTITION BY position) AS DOUBLE) AS present,
    CAST(count(*) OVER (PARTITION BY position) AS DOUBLE) AS records,
    min(value) OVER (PARTITION BY position) AS least,
    max(value) OVER (PARTITION BY position) - min(value) OVER (PARTITION BY position) AS whole
  FROM numbers
),
of_numbers AS (
  SELECT
    position,
    max(records) AS records,
    -- Ordered pairs: those of two values, and those with one missing value.
    2 * coalesce(max(present), 0) * coalesce(exact_sum(
      CASE
        WHEN value IS NOT NULL AND whole > 0 THEN (2 * place - present - 1) / present * ((value - least) / whole)
        ELSE 0.0
      END
    ), 0.0) + 2 * max(present) * (max(records) - max(present)) AS differing
  FROM placed
  GROUP BY position
),
categories AS (
  SELECT this_position AS position, this_column AS category, count(*) AS times
  FROM each_column(categorical, encoded(train))
  GROUP BY this_column
),
of_categories AS (
  SELECT
    position,
    CAST(sum(times) AS DOUBLE) AS records,
    CAST(sum(CAST(times AS HUGEINT)) * sum(CAST(times AS HUGEINT)) - sum(CAST(times AS HUGEINT) * times) AS DOUBLE) AS differing
  FROM categories
  GROUP BY position
),
together AS (
  SELECT position, records, differing FROM of_numbers
  UNION ALL
  SELECT position, records, differing FROM of_categories
),
named AS (
  SELECT this_position AS position, this_name AS name, this_role AS role, CAST(this_weight AS DOUBLE) AS weight
  FROM each_column(compared)
),
found AS (
  SELECT
    named.position,
    named.name,
    named.role,
    named.weight,
    together.differing / nullif(together.records * (together.records - 1), 0) AS mean_difference
  FROM named
  LEFT JOIN together ON together.position = named.position
),
whole AS (
  SELECT max(weight * mean_difference) AS largest, exact_sum(share_of(weight * mean_difference, top)) AS total
  FROM (SELECT weight, mean_difference, max(weight * mean_difference) OVER () AS top FROM found) AS weighted
)
SELECT
  row_number() OVER (ORDER BY coalesce(found.weight * found.mean_difference, 0) DESC, found.position) AS place,
  found.name AS column_name,
  found.role,
  found.mean_difference,
  CASE WHEN whole.largest > 0 THEN found.weight * found.mean_difference / whole.largest / whole.total END AS share
FROM found
CROSS JOIN whole
