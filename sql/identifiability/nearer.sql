/*
summary = "How far every record of a table is from its nearest in another table, and from the nearest other in its own."
part = true

[parameters]
records = { type = "relation", doc = "the records" }
others = { type = "relation", doc = "the other table" }
train = { type = "relation", doc = "the table that the scale is taken from" }
*/
SELECT away.record, away.distance AS to_other_table, own.distance AS to_own_table
FROM nearest(queries := records, reference := others, train := train, k := 1) AS away
JOIN nearest(queries := records, reference := records, train := train, k := 1, exclude_self := true) AS own
  ON own.record = away.record
