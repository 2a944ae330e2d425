/*
summary = "Minimum distance accumulation: privacy and resemblance of two tables, as two areas under one curve."
source = "Minimum distance accumulation as published in 2018; exact areas of the step curve instead of a grid."
options = ["distance"]
order = ["threshold"]
run.few = true
gives.number = "privacy"
example = { a = "synthetic", b = "train", exclude = ["id"], threshold = [0.1, 0.5] }

[parameters]
a = { type = "relation", doc = "the synthetic table" }
b = { type = "relation", doc = "the real table" }
threshold = { type = "numbers", default = 0.2, above = 0, below = 1, doc = "the relative distance in (0, 1) that separates privacy from resemblance; a list gives one row per value" }
method = { type = "text", default = "exact", choices = ["exact", "grid"], doc = "exact areas, or a grid of points with Simpson's rule, as published" }
direction = { type = "text", default = "both", choices = ["both", "a", "b"], doc = "as in mda_distances" }
normalizer = { type = "number", optional = true, above = 0, doc = "the value that distances are divided by, to compare several runs; by default the largest distance" }
points = { type = "integer", default = 101, minimum = 2, doc = "number of grid points" }
strict = { type = "boolean", default = true, doc = "for the grid: count distances less than theta, as published (at theta = 0, those equal to 0); false: at most theta. Exact areas do not depend on it" }

[columns]
threshold = "DOUBLE"
privacy_area = "DOUBLE, the mean of the curve below the threshold; 0 is perfect privacy, 1 a copy"
privacy = "DOUBLE, 1 - privacy_area"
resemblance = "DOUBLE, the mean of the curve above the threshold; 1 is perfect resemblance"
tradeoff_area = "DOUBLE, the area under resemblance as a function of privacy over all thresholds (exact in both methods)"
normalizer = "DOUBLE, what distances were divided by"
*/
WITH relative AS (
  SELECT normalizer, x
  FROM relative_distances(
    distances := mda_distances(a := a, b := b, direction := $direction), normalizer := $normalizer
  )
),
areas AS (
  SELECT
    thresholds.threshold,
    -- Division before the mean: a copy has exactly 1, and rounding stays within [0, 1].
    exact_mean(greatest(1 - relative.x / thresholds.threshold, 0)) AS privacy_area,
    exact_mean((1 - greatest(relative.x, thresholds.threshold)) / (1 - thresholds.threshold)) AS resemblance
  FROM relative
  CROSS JOIN (SELECT CAST(this_value AS DOUBLE) AS threshold FROM each_value($threshold)) AS thresholds
  WHERE $method = 'exact'
  GROUP BY thresholds.threshold

  UNION ALL

  SELECT threshold, privacy_area, resemblance
  FROM grid_areas(
    curve := even_curve(distances := relative, points := $points, strict := $strict), threshold := $threshold
  )
  WHERE $method = 'grid'
)
SELECT
  areas.threshold,
  areas.privacy_area,
  1 - areas.privacy_area AS privacy,
  areas.resemblance,
  tradeoff.tradeoff_area,
  longest.normalizer
FROM areas
CROSS JOIN tradeoff(distances := relative) AS tradeoff
CROSS JOIN (SELECT max(normalizer) AS normalizer FROM relative) AS longest
