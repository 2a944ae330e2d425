/*
summary = "For every real record, the smallest number of neighbors by both sets of columns that share a synthetic record; NULL if it exceeds k."
part = true

[parameters]
records = { type = "relation", doc = "real records" }
synthetic = { type = "relation", doc = "the synthetic table" }
train = { type = "relation", doc = "the table that determines the scale" }
k = { type = "integer", default = 1, doc = "number of neighbors" }
*/
WITH shared AS (
  SELECT
    by_known.record,
    min(CASE WHEN by_known.rank > by_other.rank THEN by_known.rank ELSE by_other.rank END) AS first_shared
  FROM nearest(queries := records, reference := synthetic, train := train, k := $k, among := 'known') AS by_known
  JOIN nearest(queries := records, reference := synthetic, train := train, k := $k, among := 'other') AS by_other
    ON by_other.record = by_known.record AND by_other.neighbor = by_known.neighbor
  GROUP BY by_known.record
)
SELECT own.record, shared.first_shared
FROM encoded(records) AS own
LEFT JOIN shared ON shared.record = own.record
