/*
summary = "How often each category of each column occurs in each table; missing values form a category."
part = true
run.materialized = true
tables = ["synthetic?", "train", "holdout?"]
*/
-- Tables are counted separately, so that several synthetic ones can share the counts of the real ones.
WITH counted AS (
  SELECT position, category, records AS synthetic, 0 AS train, 0 AS holdout
  FROM counted_categories(synthetic)
  WHERE $synthetic IS NOT NULL

  UNION ALL

  SELECT position, category, 0 AS synthetic, records AS train, 0 AS holdout
  FROM counted_categories(train)

  UNION ALL

  SELECT position, category, 0 AS synthetic, 0 AS train, records AS holdout
  FROM counted_categories(holdout)
  WHERE $holdout IS NOT NULL
)
SELECT
  position,
  category,
  CAST(sum(synthetic) AS BIGINT) AS synthetic,
  CAST(sum(train) AS BIGINT) AS train,
  CAST(sum(holdout) AS BIGINT) AS holdout
FROM counted
GROUP BY position, category
