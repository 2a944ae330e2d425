/*
summary = "Distance to closest record (DCR): how far every synthetic record is from its closest train record."
source = "DCR as the minimum distance of a synthetic record to the train table."
options = ["distance"]
order = ["record"]
keys = { record = "synthetic", nearest = "train" }

[parameters]
synthetic = { type = "relation", doc = "the synthetic table" }
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
distances = { type = "relation", optional = true, columns = ["query", "rank", "neighbor", "distance"], doc = "a distance of your own: for each synthetic record (query) the nearest of train (neighbor), of rank 1; both are positions from 0" }

[columns]
record = "BIGINT, the synthetic record's 0-based position in scan order"
dcr = "DOUBLE, the distance to the closest train record; 0 is a copy"
nearest = "BIGINT, that train record's position"
*/
SELECT record, distance AS dcr, neighbor AS nearest
FROM nearest(queries := synthetic, reference := train, train := train, k := 1)
WHERE $distances IS NULL

UNION ALL

SELECT record, distance AS dcr, neighbor AS nearest
FROM given_neighbors(distances := distances, queries := synthetic, reference := train, k := 1)
WHERE $distances IS NOT NULL AND rank = 1
