/*
summary = "The curve of minimum distance accumulation: the share of records within each distance of the other table."
source = "Minimum distance accumulation."
options = ["distance"]
order = ["theta"]
example = { a = "synthetic", b = "train", exclude = ["id"], points = 5 }

[parameters]
a = { type = "relation", doc = "the synthetic table" }
b = { type = "relation", doc = "the real table" }
direction = { type = "text", default = "both", choices = ["both", "a", "b"], doc = "as in mda_distances" }
normalizer = { type = "number", optional = true, above = 0, words = { none = 0 }, doc = "the value that distances are divided by, to compare several runs; by default the largest distance; none: theta is a distance" }
points = { type = "integer", optional = true, minimum = 2, doc = "number of evenly spaced values of theta; by default, every step of the curve" }
strict = { type = "boolean", optional = true, doc = "true: count distances less than theta (at theta = 0, those equal to 0); false: at most theta. Default: false for steps, true with points, as published" }
counts = { type = "boolean", default = false, doc = "return numbers of records instead of shares" }

[columns]
theta = "DOUBLE, distance / normalizer, from 0 to 1; the distance itself with the normalizer none"
accumulation = "DOUBLE, the share of records (or with counts, their number) with a relative distance of at most theta; with points, less than theta, as mda_grid expects"
*/
WITH distances AS (
  SELECT x
  FROM relative_distances(
    distances := mda_distances(a := a, b := b, direction := $direction), normalizer := $normalizer
  )
),
totals AS (
  SELECT
    CAST(count(*) AS DOUBLE) AS records,
    CASE WHEN $normalizer = 0 THEN max(x) ELSE 1.0 END AS longest
  FROM distances
),
steps AS (
  SELECT x AS theta, count(*) AS records
  FROM distances
  GROUP BY x
),
-- Points are evenly spaced over the actual range: unscaled distances go up to the largest.
relative AS (
  SELECT distances.x / CASE WHEN totals.longest = 0 THEN 1.0 ELSE totals.longest END AS x
  FROM distances
  CROSS JOIN totals
  WHERE $points IS NOT NULL
),
curve AS (
  SELECT
    theta,
    (
      CAST(sum(records) OVER (ORDER BY theta ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS DOUBLE)
      - CASE WHEN $strict IS NOT NULL AND $strict AND theta > 0 THEN records ELSE 0 END
    ) / sum(records) OVER () AS accumulation
  FROM steps
  WHERE $points IS NULL

  UNION ALL

  SELECT even.theta * totals.longest AS theta, even.accumulation
  FROM even_curve(distances := relative, points := $points, strict := true) AS even
  CROSS JOIN totals
  WHERE $points IS NOT NULL AND ($strict IS NULL OR $strict)

  UNION ALL

  SELECT even.theta * totals.longest AS theta, even.accumulation
  FROM even_curve(distances := relative, points := $points, strict := false) AS even
  CROSS JOIN totals
  WHERE $points IS NOT NULL AND $strict IS NOT NULL AND NOT $strict
)
SELECT
  curve.theta,
  -- A share times the number of records gives their number, up to the last bit.
  CASE WHEN $counts THEN round(curve.accumulation * totals.records) ELSE curve.accumulation END AS accumulation
FROM curve
CROSS JOIN totals
