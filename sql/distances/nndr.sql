/*
summary = "Nearest neighbor distance ratio (NNDR) of every synthetic record, in one of four named variants."
source = "Ratio of the two nearest distances: Lowe, IJCV 60 (2004); local and global denominators: outlier-style ratios over train."
options = ["distance"]
order = ["record"]
keys = { record = "synthetic" }
example = { synthetic = "synthetic", train = "train", variant = "local", k = 3, exclude = ["id"] }
tables = ["synthetic", "train"]

[parameters]
variant = { type = "text", default = "second", choices = ["second", "within_synthetic", "local", "global"], doc = "the denominator of the ratio" }
k = { type = "integer", default = 5, minimum = 1, doc = "number of neighbors within train that the variants local and global average over" }
distances = { type = "relation", optional = true, columns = ["query", "rank", "neighbor", "distance"], doc = "neighbors by your own distance, for the variant second: for each synthetic record (query) its two nearest train records (neighbor), with ranks 1 and 2; both are positions from 0" }

[columns]
record = "BIGINT, the synthetic record's 0-based position in scan order"
nndr = "DOUBLE, numerator / denominator; 0/0 is 1, x/0 is infinite"
numerator = "DOUBLE, the distance to the nearest train record"
denominator = "DOUBLE, second: the distance to the second nearest train record; within_synthetic: to the nearest other synthetic record; local: the mean distance of the nearest train record to its k nearest others; global: the mean of that over all train records"
*/
SELECT record, ratio(numerator, denominator) AS nndr, numerator, denominator
FROM nndr_parts(
  queries := synthetic, train := train, variant := $variant, k := $k, exclude_self := false, partial := false
)
WHERE $distances IS NULL

UNION ALL

SELECT record, ratio(numerator, denominator) AS nndr, numerator, denominator
FROM (
  SELECT
    record,
    max(CASE WHEN rank = 1 THEN distance END) AS numerator,
    max(CASE WHEN rank = 2 THEN distance END) AS denominator
  FROM given_neighbors(distances := distances, queries := synthetic, reference := train, k := 2)
  WHERE rank <= 2
  GROUP BY record
) AS given
WHERE $distances IS NOT NULL
