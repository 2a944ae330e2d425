/*
summary = "The accumulated share of relative distances at even values of theta from 0 to 1."
part = true

[parameters]
distances = { type = "relation", doc = "rows of x, from 0 to 1" }
points = { type = "integer", default = 101, doc = "values of theta" }
strict = { type = "boolean", default = false, doc = "count x < theta instead of x <= theta" }
*/
-- One pass over distances and grid together, sorted: a grid point stands before its equals where the count is strict.
WITH marks AS (
  SELECT x AS theta, 1 AS records, 0 AS is_grid
  FROM distances

  UNION ALL

  SELECT CAST(places.place AS DOUBLE) / ($points - 1) AS theta, 0 AS records, 1 AS is_grid
  FROM generate_series(0, $points - 1) AS places(place)
),
accumulated AS (
  SELECT
    theta,
    is_grid,
    CAST(sum(records) OVER (
      ORDER BY theta, CASE WHEN $strict THEN -is_grid ELSE is_grid END ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS DOUBLE) / nullif(sum(records) OVER (), 0) AS accumulation
  FROM marks
)
SELECT theta, accumulation
FROM accumulated
WHERE is_grid = 1
