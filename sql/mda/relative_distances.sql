/*
summary = "Distances as shares of the largest one (or of a normalizer, at most 1); 0 if all are 0. A normalizer of 0 leaves them unchanged."
part = true

[parameters]
distances = { type = "relation", doc = "rows of distance" }
normalizer = { type = "number", optional = true, doc = "the value that distances are divided by" }
*/
WITH longest AS (
  -- A window instead of a join with an aggregate: Spark 4 fails if an aggregate over a UNION is read several times.
  SELECT
    distance,
    CASE
      WHEN $normalizer IS NULL OR $normalizer = 0 THEN max(distance) OVER ()
      ELSE CAST($normalizer AS DOUBLE)
    END AS normalizer
  FROM distances
)
SELECT
  normalizer,
  CASE
    WHEN $normalizer = 0 THEN distance
    WHEN normalizer = 0 THEN 0.0
    ELSE least(distance / normalizer, 1.0)
  END AS x
FROM longest
