/*
summary = "Privacy area and resemblance of a curve on an even grid over [0, 1], by composite Simpson's rule."
part = true
run.few = true

[parameters]
curve = { type = "relation", doc = "rows of theta and accumulation" }
threshold = { type = "numbers", default = 0.2, doc = "thresholds in (0, 1)" }
*/
WITH placed AS (
  SELECT
    row_number() OVER (ORDER BY theta) - 1 AS place,
    count(*) OVER () AS points,
    accumulation
  FROM curve
),
cut AS (
  SELECT
    placed.place,
    placed.points,
    placed.accumulation,
    thresholds.threshold,
    -- The first point at or after the threshold; rounding keeps (4/9) / (1/9) from exceeding 4.
    CAST(ceil(thresholds.threshold * (placed.points - 1) - 5e-10) AS BIGINT) AS first_above
  FROM placed
  CROSS JOIN (SELECT CAST(this_value AS DOUBLE) AS threshold FROM each_value($threshold)) AS thresholds
)
SELECT
  threshold,
  exact_sum(
    CASE WHEN place < first_above THEN accumulation * simpson_weight(place, first_above) ELSE 0.0 END
  ) / (max(points) - 1) / threshold AS privacy_area,
  exact_sum(
    CASE
      WHEN place >= first_above THEN accumulation * simpson_weight(place - first_above, points - first_above)
      ELSE 0.0
    END
  ) / (max(points) - 1) / (1 - threshold) AS resemblance
FROM cut
GROUP BY threshold
