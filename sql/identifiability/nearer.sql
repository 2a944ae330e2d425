/*
summary = "The distance of every record of a table to the nearest record of another table, and to the nearest other record of its own."
part = true

[parameters]
records = { type = "relation", doc = "the records" }
others = { type = "relation", doc = "the other table" }
train = { type = "relation", doc = "the table that determines the scale" }
*/
SELECT away.record, away.distance AS to_other_table, own.distance AS to_own_table
FROM nearest(queries := records, reference := others, train := train, k := 1) AS away
JOIN nearest(queries := records, reference := records, train := train, k := 1, exclude_self := true) AS own
  ON own.record = away.record
