/*
summary = "The k nearest records of a reference table for every query record, exact, with ties to the smallest record number."
source = "Exact k-nearest-neighbor search over mixed columns; gower: Gower, Biometrics 27 (1971)."
options = ["distance"]
order = ["record", "rank"]
keys = { record = "queries", neighbor = "reference" }

[parameters]
queries = { type = "relation", doc = "the records that look for neighbors" }
reference = { type = "relation", doc = "the records that are found; the scale of numbers is taken from it" }
k = { type = "integer", default = 1, minimum = 1, doc = "neighbors per record, at least 1" }
exclude_self = { type = "boolean", default = false, doc = "queries is the reference itself: leave out each record's own position" }

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
