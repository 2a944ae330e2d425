/*
summary = "Which columns carry the distance? How far apart two records of train are in each column on average, and its share of all."
source = "Gower's contributions over all pairs of records; of numbers Gini's mean difference."
options = ["distance.columns", "distance.exclude", "distance.numeric", "distance.categorical", "distance.weights", "distance.key"]
compares = true
order = ["place"]

[parameters]
train = { type = "relation", doc = "the real rows that the synthesizer saw" }

[columns]
column_name = "VARCHAR, those with the largest share first"
role = "VARCHAR: numeric, temporal or categorical"
mean_difference = "DOUBLE, over all pairs of different records: 1 for two categories, and for a value and a missing one; for numbers and times the difference over the range; NULL for fewer than two records"
share = "DOUBLE, of the sum of these, each times its weight; NULL where that is 0"
*/
-- Two numbers sorted: the i-th of v is subtracted v - i times, and taken i - 1 times.
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
    -- Pairs in either order: those of two values, and those of which one is missing.
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
