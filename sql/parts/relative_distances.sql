/*
summary = "Distances as shares of the largest (or of a normalizer, and then 1 at the most); 0 where all are 0."
part = true

[parameters]
distances = { type = "relation", doc = "rows of distance" }
normalizer = { type = "number", optional = true, doc = "what distances are divided by" }
*/
WITH longest AS (
  SELECT coalesce(CAST($normalizer AS DOUBLE), max(distance)) AS normalizer
  FROM distances
)
SELECT
  longest.normalizer,
  CASE WHEN longest.normalizer = 0 THEN 0.0 ELSE least(distances.distance / longest.normalizer, 1.0) END AS x
FROM distances
CROSS JOIN longest
