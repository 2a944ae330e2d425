/*
summary = "The correlation of each numeric column between consecutive rows of a person, over all pairs with both values."
part = true
run.few = true
run.materialized = true
tables = ["relation"]

[parameters]
relation = { doc = "a table with several rows per person" }
*/
WITH numbers AS (
  SELECT this_position AS position, person, place, rows_of_person, this_column AS value
  FROM each_column(numeric, placed(relation))
),
neighbors_in_time AS (
  SELECT
    position,
    place,
    rows_of_person,
    value,
    lead(value) OVER (PARTITION BY position, person ORDER BY place) AS next_value
  FROM numbers
),
pairs AS (
  SELECT position, value, next_value
  FROM neighbors_in_time
  WHERE place < rows_of_person AND value IS NOT NULL AND next_value IS NOT NULL
),
ranges AS (
  SELECT
    position,
    min(least(value, next_value)) AS lowest,
    max(greatest(value, next_value)) - min(least(value, next_value)) AS whole
  FROM pairs
  GROUP BY position
),
-- Scaled to [0, 1] by minimum and maximum, and centered: numbers far from 0 would leave few digits.
places AS (
  SELECT
    pairs.position,
    CASE WHEN ranges.whole > 0 THEN (pairs.value - ranges.lowest) / ranges.whole ELSE 0.0 END AS place,
    CASE WHEN ranges.whole > 0 THEN (pairs.next_value - ranges.lowest) / ranges.whole ELSE 0.0 END AS next_place
  FROM pairs
  JOIN ranges ON ranges.position = pairs.position
),
means AS (
  SELECT position, exact_mean(place) AS mean, exact_mean(next_place) AS next_mean
  FROM places
  GROUP BY position
),
centered AS (
  SELECT places.position, places.place - means.mean AS x, places.next_place - means.next_mean AS y
  FROM places
  JOIN means ON means.position = places.position
)
SELECT position, correlation(x, y) AS correlation
FROM centered
GROUP BY position
