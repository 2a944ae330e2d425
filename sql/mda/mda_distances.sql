/*
summary = "Nearest neighbor distances between two tables: from each record of a to b, and from each record of b to a."
source = "The distances of minimum distance accumulation, on the scale of b."
options = ["distance"]
order = ["side", "record"]
keys = { record = ["a", "b"] }
gives.side = "side"
example = { a = "synthetic", b = "train", key = "id" }

[parameters]
a = { type = "relation", doc = "the synthetic table" }
b = { type = "relation", doc = "the real table, which determines the scale of numbers" }
direction = { type = "text", default = "both", choices = ["both", "a", "b"], doc = "a: from a to b only; b: from b to a only" }

[columns]
side = "VARCHAR, a or b: the table of the record"
record = "BIGINT, the record's 0-based position in scan order"
distance = "DOUBLE, to the nearest record of the other table"
*/
SELECT 'a' AS side, record, distance
FROM nearest(queries := a, reference := b, train := b, k := 1)
WHERE $direction <> 'b'

UNION ALL

SELECT 'b' AS side, record, distance
FROM nearest(queries := b, reference := a, train := b, k := 1)
WHERE $direction <> 'a'
