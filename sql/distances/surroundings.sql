/*
summary = "The mean distance of every train record to its k nearest others."
part = true
tables = ["train"]

[parameters]
k = { type = "integer", default = 5, doc = "number of neighbors to average over" }
partial = { type = "boolean", default = false, doc = "if there are too few neighbors, average over those" }
*/
WITH beside_largest AS (
  SELECT record, distance, max(distance) OVER (PARTITION BY record) AS largest
  FROM nearest(queries := train, reference := train, train := train, k := $k, exclude_self := true)
  WHERE $partial OR (SELECT is_enough FROM enough(reference := train, k := $k, exclude_self := true))
)
SELECT record, exact_mean_up_to(distance, largest) AS mean_distance
FROM beside_largest
GROUP BY record
