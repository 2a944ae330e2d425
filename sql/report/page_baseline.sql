/*
summary = "Privacy and resemblance of the synthetic table and of the random forest baseline at each p, on one scale."
source = "As baseline_sweep; one normalizer for all tables, the synthetic one included: the largest distance."
options = ["distance", "forest.trees"]
part = true
order = ["p"]

[parameters]
synthetic = { type = "relation", doc = "the synthetic table" }
train = { type = "relation", doc = "the original rows" }
p = { type = "numbers", default = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0], minimum = 0, maximum = 1, doc = "as in baseline" }
threshold = { type = "number", default = 0.2, above = 0, below = 1, doc = "as in mda" }

[columns]
p = "DOUBLE; NULL: the synthetic table"
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
)
SELECT
  p,
  1 - exact_mean(greatest(1 - x / $threshold, 0.0)) AS privacy,
  exact_mean(least((1 - x) / (1 - $threshold), 1.0)) AS resemblance
FROM shares
GROUP BY p
