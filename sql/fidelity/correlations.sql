/*
summary = "The correlation of each pair of numeric columns in each table, over the records that have both values."
part = true
run.few = true
tables = ["synthetic", "train", "holdout?"]
*/
WITH found AS (
  SELECT 1 AS side, first, second, correlation
  FROM correlations_alone(synthetic)

  UNION ALL

  SELECT 2 AS side, first, second, correlation
  FROM correlations_alone(train)

  UNION ALL

  SELECT 3 AS side, first, second, correlation
  FROM correlations_alone(holdout)
  WHERE $holdout IS NOT NULL
),
-- Keep pairs for which no record has both values.
pairs AS (
  SELECT one.position AS first, two.position AS second
  FROM names() AS one
  JOIN names() AS two ON two.position > one.position
  WHERE one.role <> 'categorical' AND two.role <> 'categorical'
)
SELECT
  pairs.first,
  pairs.second,
  max(CASE WHEN found.side = 1 THEN found.correlation END) AS synthetic,
  max(CASE WHEN found.side = 2 THEN found.correlation END) AS train,
  max(CASE WHEN found.side = 3 THEN found.correlation END) AS holdout
FROM pairs
LEFT JOIN found ON found.first = pairs.first AND found.second = pairs.second
GROUP BY pairs.first, pairs.second
