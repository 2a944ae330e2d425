/*
summary = "The correlation of every two numbers of a table, over the records that have both."
part = true
few = true
materialized = true

[parameters]
relation = { type = "relation", doc = "a table" }
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
-- Numbers are taken by their place between the least and the largest, about the mean place: what is far from 0 would
-- leave few digits for the differences. A range that no DOUBLE holds has no places.
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
