/*
summary = "The group of each number of each numeric target: groups have about equally many train records, and equal values are in the same group."
part = true
tables = ["synthetic", "train", "holdout?"]

[parameters]
bins = { type = "integer", default = 10, doc = "as in disclosure" }
*/
WITH ranked AS (
  SELECT
    position,
    value,
    sum(in_train) OVER (PARTITION BY position ORDER BY value) - in_train AS below,
    sum(in_train) OVER (PARTITION BY position) AS records,
    dense_rank() OVER (PARTITION BY position ORDER BY value) AS place
  FROM disclosure_numbers(synthetic := synthetic, train := train, holdout := holdout)
  WHERE value IS NOT NULL
)
-- The group is the share of train records below the value, rounded down to whole groups.
SELECT
  position,
  value,
  CASE
    WHEN $bins = 0 THEN CAST(place AS BIGINT)
    WHEN below * $bins >= records * ($bins - 1) THEN CAST($bins - 1 AS BIGINT)
    ELSE CAST(floor(CAST(below * $bins AS DOUBLE) / records) AS BIGINT)
  END AS value_group
FROM ranked
