/*
summary = "Privacy and resemblance of an accumulation curve on an even grid, by composite Simpson's rule."
source = "Minimum distance accumulation as published in 2018, figure 2, which names no integration rule; for an even number of points the mean of two rules, as even = 'avg' of scipy.integrate.simpson in SciPy before 1.11."
order = ["threshold"]
example = { curve = "curve", threshold = 0.5 }

[parameters]
curve = { type = "relation", columns = ["theta", "accumulation"], doc = "a table with columns theta and accumulation: an even grid from 0 to 1" }
threshold = { type = "numbers", default = 0.2, above = 0, below = 1, doc = "the relative distance in (0, 1) that separates privacy from resemblance; a list gives one row per value" }

[columns]
threshold = "DOUBLE"
privacy_area = "DOUBLE, the mean of the curve below the threshold; 0 is perfect privacy"
privacy = "DOUBLE, 1 - privacy_area"
resemblance = "DOUBLE, the mean of the curve above the threshold; 1 is perfect resemblance"
*/
WITH given AS (
  SELECT
    CAST(theta AS DOUBLE) AS theta,
    CAST(accumulation AS DOUBLE) AS accumulation
  FROM curve
),
gaps AS (
  SELECT
    theta,
    theta - lag(theta) OVER (ORDER BY theta) AS gap
  FROM given
),
evenness AS (
  SELECT
    min(theta) = 0
      AND abs(max(theta) - 1) < 1e-9
      AND coalesce(max(gap) - min(gap) < 1e-9, false)
      AND count(*) = count(theta) AS is_even
  FROM gaps
),
checked AS (
  SELECT
    CASE
      WHEN evenness.is_even THEN given.theta
      ELSE CAST(error(
        'OptionError: theta of ' || label(curve)
        || ' is not an even grid from 0 to 1; mda_curve with 101 points gives one'
      ) AS DOUBLE)
    END AS theta,
    given.accumulation
  FROM given
  CROSS JOIN evenness
)
SELECT
  threshold,
  privacy_area,
  1 - privacy_area AS privacy,
  resemblance
FROM grid_areas(curve := checked, threshold := $threshold)
