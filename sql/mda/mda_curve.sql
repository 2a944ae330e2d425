/*
summary = "The curve of minimum distance accumulation: the share of records within each distance of the other table."
source = "Minimum distance accumulation."
options = ["distance"]
order = ["theta"]

[parameters]
a = { type = "relation", doc = "the synthetic table" }
b = { type = "relation", doc = "the real table" }
direction = { type = "text", default = "both", choices = ["both", "a", "b"], doc = "as in mda_distances" }
normalizer = { type = "number", optional = true, above = 0, doc = "what distances are divided by, to compare several runs; the largest distance where not given" }
points = { type = "integer", optional = true, minimum = 2, doc = "this many even values of theta instead of every step" }

[columns]
theta = "DOUBLE, distance / normalizer, from 0 to 1"
accumulation = "DOUBLE, the share of records with a relative distance of at most theta; below it where points are given, as mda_grid wants it"
*/
WITH distances AS (
  SELECT x
  FROM relative_distances(
    distances := mda_distances(a := a, b := b, direction := $direction), normalizer := $normalizer
  )
),
steps AS (
  SELECT x AS theta, count(*) AS records
  FROM distances
  GROUP BY x
)
SELECT
  theta,
  CAST(sum(records) OVER (ORDER BY theta ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS DOUBLE)
    / sum(records) OVER () AS accumulation
FROM steps
WHERE $points IS NULL

UNION ALL

SELECT theta, accumulation
FROM even_curve(distances := distances, points := $points)
WHERE $points IS NOT NULL
