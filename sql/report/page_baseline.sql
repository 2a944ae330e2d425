/*
summary = "Privacy and resemblance of the synthetic table and of the random forest baseline at each p and threshold, on one scale."
source = "As baseline_sweep; one normalizer for all tables, the synthetic one included: the largest distance."
reads.vectors = false
options = ["distance", "forest.trees"]
part = true
order = ["p", "threshold"]
tables = ["synthetic", "train"]

[parameters]
p = { type = "numbers", default = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0], minimum = 0, maximum = 1, doc = "as in baseline" }
threshold = { type = "numbers", default = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95], above = 0, below = 1, doc = "as in mda" }

[columns]
p = "DOUBLE; NULL: the synthetic table"
threshold = "DOUBLE"
privacy = "DOUBLE, as in mda"
resemblance = "DOUBLE, as in mda"
*/
WITH distances AS (
  SELECT CAST(this_value AS DOUBLE) AS p, nearby.distance
  FROM each_value($p)
  CROSS JOIN mda_distances(a := baseline(train, this_value), b := train) AS nearby

  UNION ALL

  SELECT CAST(NULL AS DOUBLE) AS p, distance
  FROM mda_distances(a := synthetic, b := train)
),
shares AS (
  SELECT
    p,
    CASE WHEN max(distance) OVER () = 0 THEN 0.0 ELSE distance / max(distance) OVER () END AS x
  FROM distances
),
thresholds AS (
  SELECT CAST(this_value AS DOUBLE) AS threshold
  FROM each_value($threshold)
)
SELECT
  shares.p,
  thresholds.threshold,
  1 - exact_mean(greatest(1 - shares.x / thresholds.threshold, 0.0)) AS privacy,
  exact_mean(least((1 - shares.x) / (1 - thresholds.threshold), 1.0)) AS resemblance
FROM shares
CROSS JOIN thresholds
GROUP BY shares.p, thresholds.threshold
