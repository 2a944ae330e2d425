/*
summary = "The mean distance of every train record to its k nearest others."
part = true

[parameters]
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
k = { type = "integer", default = 5, doc = "neighbors to average over" }
partial = { type = "boolean", default = false, doc = "average over as many neighbors as there are" }
*/
SELECT record, avg(distance) AS mean_distance
FROM nearest(queries := train, reference := train, train := train, k := $k, exclude_self := true)
WHERE $partial OR (SELECT is_enough FROM enough(reference := train, k := $k, exclude_self := true))
GROUP BY record
