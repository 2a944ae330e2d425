/*
summary = "The codes of categories: of the most frequent ones of train, or of all."
part = true
run.materialized = true
tables = ["synthetic?", "train", "holdout?"]

[parameters]
synthetic = { doc = "the synthetic table, if categories that train lacks are to be coded too" }
categories = { type = "integer", optional = true, doc = "number of coded categories of train; by default all, up to the largest code" }
*/
-- Codes start at 3: 1 is missing, 2 any other category.
SELECT position, category, CAST(2 + place AS BIGINT) AS code
FROM (
  SELECT
    position,
    category,
    train,
    row_number() OVER (PARTITION BY position ORDER BY train DESC, CAST(category AS VARCHAR) COLLATE C) AS place
  FROM frequencies(synthetic, train, holdout)
  WHERE category IS NOT NULL
) AS ranked
WHERE CASE WHEN $categories IS NULL THEN place <= 262141 ELSE train > 0 AND place <= $categories END
