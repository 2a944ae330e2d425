/*
summary = "How many records of each table have each combination of the quasi-identifiers and a target; NULL is a value like any other."
part = true

[parameters]
synthetic = { type = "relation", doc = "as in disclosure" }
train = { type = "relation", doc = "as in disclosure" }
holdout = { type = "relation", optional = true, doc = "as in disclosure" }
bins = { type = "integer", default = 10, doc = "as in disclosure" }
*/
WITH numbers AS (
  SELECT this_position AS position, this_column AS value, count(*) FILTER (WHERE side = 1) AS n
  FROM each_column(numeric, disclosure_rows(synthetic := synthetic, train := train, holdout := holdout))
  WHERE this_column IS NOT NULL
  GROUP BY this_column
),
ranked AS (
  SELECT
    position,
    value,
    sum(n) OVER (PARTITION BY position ORDER BY value) - n AS below,
    sum(n) OVER (PARTITION BY position) AS records,
    dense_rank() OVER (PARTITION BY position ORDER BY value) AS place
  FROM numbers
),
-- The group of a value says how many of train's records lie below it, in whole parts: equal values are never parted.
value_groups AS (
  SELECT
    position,
    value,
    CASE
      WHEN $bins = 0 THEN CAST(place AS BIGINT)
      WHEN below * $bins >= records * ($bins - 1) THEN CAST($bins - 1 AS BIGINT)
      ELSE CAST(floor(CAST(below * $bins AS DOUBLE) / records) AS BIGINT)
    END AS value_group
  FROM ranked
)
SELECT
  this_position AS position,
  each(quasi_identifiers, this_column),
  count(*) FILTER (WHERE side = 1) AS in_train,
  count(*) FILTER (WHERE side = 2) AS in_synthetic,
  count(*) FILTER (WHERE side = 3) AS in_holdout,
  sum(count(*) FILTER (WHERE side = 1)) OVER (PARTITION BY this_column) AS value_in_train,
  sum(count(*) FILTER (WHERE side = 3)) OVER (PARTITION BY this_column) AS value_in_holdout
FROM each_column(categorical, disclosure_rows(synthetic := synthetic, train := train, holdout := holdout))
GROUP BY each(quasi_identifiers, this_column), this_column

UNION ALL

SELECT
  this_position AS position,
  each(quasi_identifiers, this_column),
  count(*) FILTER (WHERE side = 1) AS in_train,
  count(*) FILTER (WHERE side = 2) AS in_synthetic,
  count(*) FILTER (WHERE side = 3) AS in_holdout,
  sum(count(*) FILTER (WHERE side = 1)) OVER (PARTITION BY value_groups.value_group) AS value_in_train,
  sum(count(*) FILTER (WHERE side = 3)) OVER (PARTITION BY value_groups.value_group) AS value_in_holdout
FROM each_column(numeric, disclosure_rows(synthetic := synthetic, train := train, holdout := holdout)) AS found
LEFT JOIN value_groups ON value_groups.position = this_position AND value_groups.value = found.this_column
GROUP BY each(quasi_identifiers, this_column), value_groups.value_group
