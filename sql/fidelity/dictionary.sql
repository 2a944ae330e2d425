/*
summary = "A number for each category that is kept apart: the most frequent ones of train, or every category."
part = true
materialized = true

[parameters]
synthetic = { type = "relation", optional = true, doc = "the synthetic table, where categories that train lacks are numbered too" }
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
holdout = { type = "relation", optional = true, doc = "real rows that it never saw" }
categories = { type = "integer", optional = true, doc = "how many of train are kept apart; without it all, as far as they can be numbered" }
*/
-- Numbers from 3 on: 1 is missing, 2 any other category.
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
