/*
summary = "The correlation of each pair of numeric columns of a table, over the records that have both values."
part = true
run.few = true
run.materialized = true
tables = ["relation"]
*/
WITH numbers AS (
  SELECT record, this_position AS position, this_column AS value
  FROM each_column(numeric, encoded(relation))
  WHERE this_column IS NOT NULL
),
ranges AS (
  SELECT position, min(value) AS least, max(value) - min(value) AS whole
  FROM numbers
  GROUP BY position
),
-- Numbers are scaled to [0, 1] by minimum and maximum, and centered: numbers far from 0 would leave few digits for the
-- differences. A range that exceeds DOUBLE has no scale.
places AS (
  SELECT
    numbers.record,
    numbers.position,
    CASE
      WHEN ranges.whole > 0 AND isfinite(ranges.whole) THEN (numbers.value - ranges.least) / ranges.whole
      ELSE 0.0
    END AS place
  FROM numbers
  JOIN ranges ON ranges.position = numbers.position
),
means AS (
  SELECT position, exact_mean(place) AS mean
  FROM places
  GROUP BY position
),
centered AS (
  SELECT places.record, places.position, places.place - means.mean AS x
  FROM places
  JOIN means ON means.position = places.position
)
SELECT one.position AS first, two.position AS second, correlation(one.x, two.x) AS correlation
FROM centered AS one
JOIN centered AS two ON two.record = one.record AND two.position > one.position
GROUP BY one.position, two.position
