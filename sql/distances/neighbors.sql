/*
summary = "The exact k nearest records of a reference table for every query record; among ties, the smallest record numbers."
source = "Exact k-nearest-neighbor search over mixed columns; gower: Gower, Biometrics 27 (1971)."
options = ["distance"]
order = ["record", "rank"]
keys = { record = "queries", neighbor = "reference" }
example = { queries = "synthetic", reference = "train", k = 2, key = "id", metric = "euclidean" }

[parameters]
queries = { type = "relation", doc = "the records whose neighbors are searched" }
reference = { type = "relation", doc = "the records that are searched; they also determine the scale of numbers" }
k = { type = "integer", default = 1, minimum = 1, doc = "neighbors per record, at least 1" }
exclude_self = { type = "boolean", default = false, doc = "queries and reference are the same table: exclude each record itself" }

[columns]
record = "BIGINT, the query record's 0-based position in scan order"
rank = "INTEGER, 1 for the nearest"
neighbor = "BIGINT, the neighbor's position in the reference"
distance = "DOUBLE, in units of the metric (gower: 0 to 1)"
*/
SELECT record, rank, neighbor, distance
FROM nearest(
  queries := queries, reference := reference, train := reference, k := $k, exclude_self := $exclude_self
)
WHERE (SELECT is_enough FROM enough(reference := reference, k := $k, exclude_self := $exclude_self))
