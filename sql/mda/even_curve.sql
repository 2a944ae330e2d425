/*
summary = "The share of relative distances below, or up to, evenly spaced values of theta from 0 to 1."
part = true

[parameters]
distances = { type = "relation", doc = "rows of x, from 0 to 1" }
points = { type = "integer", default = 101, doc = "number of values of theta" }
strict = { type = "boolean", default = true, doc = "as in mda" }
*/
-- One pass over the sorted distances and grid points: with strict, a grid point comes before equal distances, otherwise
-- after them. Distances of 0 are below no point; the first point counts them, or copies would lower the curve.
WITH marks AS (
  SELECT x AS theta, 1 AS turn, 1 AS records, 0 AS is_grid
  FROM distances

  UNION ALL

  SELECT
    CAST(places.place AS DOUBLE) / ($points - 1) AS theta,
    CASE WHEN $strict AND places.place > 0 THEN 0 ELSE 2 END AS turn,
    0 AS records,
    1 AS is_grid
  FROM generate_series(0, $points - 1) AS places(place)
),
accumulated AS (
  SELECT
    theta,
    is_grid,
    CAST(sum(records) OVER (
      ORDER BY theta, turn ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS DOUBLE) / nullif(sum(records) OVER (), 0) AS accumulation
  FROM marks
)
SELECT theta, accumulation
FROM accumulated
WHERE is_grid = 1
