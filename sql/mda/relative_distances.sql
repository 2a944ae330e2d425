/*
summary = "Distances as shares of the largest (or of a normalizer, and then 1 at the most); 0 where all are 0. A normalizer of 0 leaves them as they are."
part = true

[parameters]
distances = { type = "relation", doc = "rows of distance" }
normalizer = { type = "number", optional = true, doc = "what distances are divided by" }
*/
WITH longest AS (
  -- A window and no join with an aggregate: Spark 4 fails where several places read one that stands over a UNION.
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
