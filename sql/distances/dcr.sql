/*
summary = "Distance to closest record (DCR): the distance of every synthetic record to its closest train record."
source = "DCR as the minimum distance of a synthetic record to the train table."
options = ["distance"]
order = ["record"]
keys = { record = "synthetic", nearest = "train" }
example = { synthetic = "synthetic", train = "train", key = "id", weights = { n = 2.5, city = 0.5 } }
tables = ["synthetic", "train"]

[parameters]
distances = { type = "relation", optional = true, columns = ["query", "rank", "neighbor", "distance"], doc = "neighbors by your own distance: for each synthetic record (query) its nearest train record (neighbor), with rank 1; both are positions from 0" }

[columns]
record = "BIGINT, the synthetic record's 0-based position in scan order"
dcr = "DOUBLE, the distance to the closest train record; 0 for a copy"
nearest = "BIGINT, the position of that train record"
*/
SELECT record, distance AS dcr, neighbor AS nearest
FROM nearest(queries := synthetic, reference := train, train := train, k := 1)
WHERE $distances IS NULL

UNION ALL

SELECT record, distance AS dcr, neighbor AS nearest
FROM given_neighbors(distances := distances, queries := synthetic, reference := train, k := 1)
WHERE $distances IS NOT NULL AND rank = 1
