/*
summary = "DCR and the four variants of NNDR of a table against train, one value per row, numbered in the order of the metrics."
part = true

[parameters]
queries = { type = "relation", doc = "the records whose neighbors are searched" }
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
which = { type = "text", optional = true, doc = "only this metric: dcr, or a variant of nndr" }
k = { type = "integer", default = 5, doc = "as in nndr" }
exclude_self = { type = "boolean", default = false, doc = "queries and train are the same table" }
partial = { type = "boolean", default = false, doc = "return no rows instead of an error if there are too few neighbors" }
*/
SELECT 'dcr' AS metric, 1 AS position, distance AS value
FROM nearest(
  queries := queries, reference := train, train := train, k := 1, exclude_self := $exclude_self
)
WHERE $which IS NULL OR $which = 'dcr'

UNION ALL

SELECT 'nndr_second' AS metric, 2 AS position, ratio(numerator, denominator) AS value
FROM nndr_parts(
  queries := queries, train := train, variant := 'second', exclude_self := $exclude_self, partial := $partial
)
WHERE $which IS NULL OR $which = 'second'

UNION ALL

SELECT 'nndr_within_synthetic' AS metric, 3 AS position, ratio(numerator, denominator) AS value
FROM nndr_parts(
  queries := queries, train := train, variant := 'within_synthetic', exclude_self := $exclude_self, partial := $partial
)
WHERE $which IS NULL OR $which = 'within_synthetic'

UNION ALL

SELECT 'nndr_local' AS metric, 4 AS position, ratio(numerator, denominator) AS value
FROM nndr_parts(
  queries := queries, train := train, variant := 'local', k := $k, exclude_self := $exclude_self, partial := $partial
)
WHERE $which IS NULL OR $which = 'local'

UNION ALL

SELECT 'nndr_global' AS metric, 5 AS position, ratio(numerator, denominator) AS value
FROM nndr_parts(
  queries := queries, train := train, variant := 'global', k := $k, exclude_self := $exclude_self, partial := $partial
)
WHERE $which IS NULL OR $which = 'global'
