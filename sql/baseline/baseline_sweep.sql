/*
summary = "Privacy and resemblance of the random forest baseline to train, for several probabilities p of replacing a cell."
source = "Minimum distance accumulation of the baseline at each p, with one normalizer for all of them: the largest distance."
reads.vectors = false
options = ["seed", "forest", "distance"]
order = ["p", "threshold"]
run.exact = true
example = { train = "train", p = [0.0, 1.0], threshold = [0.5], seed = 3 }
tables = ["train"]

[parameters]
train = { doc = "the original rows" }
p = { type = "numbers", default = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0], minimum = 0, maximum = 1, doc = "as in baseline, any number of values; the forests are trained once" }
threshold = { type = "numbers", default = [0.1, 0.5], above = 0, below = 1, doc = "as in mda, any number of values" }

[columns]
p = "DOUBLE"
threshold = "DOUBLE"
privacy_area = "DOUBLE, the mean of the curve below the threshold: 0 if no record is that near, 1 for an exact copy"
privacy = "DOUBLE, 1 - privacy_area"
resemblance = "DOUBLE, the mean of the curve above the threshold: 1 if every record is that near"
*/
WITH distances AS (
  SELECT CAST(this_value AS DOUBLE) AS p, nearby.distance
  FROM each_value($p)
  CROSS JOIN mda_distances(a := baseline(train, this_value), b := train) AS nearby
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
  p,
  threshold,
  privacy_area,
  1 - privacy_area AS privacy,
  resemblance
FROM (
  SELECT
    shares.p,
    thresholds.threshold,
    exact_mean(greatest(1 - shares.x / thresholds.threshold, 0.0)) AS privacy_area,
    exact_mean(least((1 - shares.x) / (1 - thresholds.threshold), 1.0)) AS resemblance
  FROM shares
  CROSS JOIN thresholds
  GROUP BY shares.p, thresholds.threshold
) AS areas
