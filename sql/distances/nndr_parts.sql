/*
summary = "Numerator and denominator of the NNDR of any table against train, or of train within itself."
part = true

[parameters]
queries = { type = "relation", doc = "the records whose neighbors are searched" }
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
variant = { type = "text", default = "second", doc = "as in nndr" }
k = { type = "integer", default = 5, doc = "as in nndr" }
exclude_self = { type = "boolean", default = false, doc = "queries and train are the same table" }
partial = { type = "boolean", default = false, doc = "return no rows instead of an error if there are too few neighbors" }
*/
SELECT
  record,
  max(CASE WHEN rank = 1 THEN distance END) AS numerator,
  max(CASE WHEN rank = 2 THEN distance END) AS denominator
FROM nearest(
  queries := queries, reference := train, train := train, k := 2, exclude_self := $exclude_self
)
WHERE $variant = 'second'
  AND ($partial OR (SELECT is_enough FROM enough(reference := train, k := 2, exclude_self := $exclude_self)))
GROUP BY record

UNION ALL

SELECT found.record, found.distance AS numerator, own.distance AS denominator
FROM nearest(
  queries := queries, reference := train, train := train, k := 1, exclude_self := $exclude_self
) AS found
LEFT JOIN nearest(
  queries := queries, reference := queries, train := train, k := 1, exclude_self := true
) AS own ON own.record = found.record
WHERE $variant = 'within_synthetic'

UNION ALL

SELECT found.record, found.distance AS numerator, around.mean_distance AS denominator
FROM nearest(
  queries := queries, reference := train, train := train, k := 1, exclude_self := $exclude_self
) AS found
LEFT JOIN surroundings(train := train, k := $k, partial := $partial) AS around ON around.record = found.neighbor
WHERE $variant = 'local'

UNION ALL

SELECT found.record, found.distance AS numerator, everywhere.mean_distance AS denominator
FROM nearest(
  queries := queries, reference := train, train := train, k := 1, exclude_self := $exclude_self
) AS found
CROSS JOIN (
  SELECT exact_mean_up_to(mean_distance, largest) AS mean_distance
  FROM (
    SELECT mean_distance, max(mean_distance) OVER () AS largest
    FROM surroundings(train := train, k := $k, partial := $partial)
  ) AS beside_largest
) AS everywhere
WHERE $variant = 'global'
