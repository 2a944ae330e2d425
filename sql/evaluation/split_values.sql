/*
summary = "How often each value of each column occurs in each table; missing is a value."
part = true
run.materialized = true
tables = ["synthetic?", "train", "holdout"]
*/
WITH counted AS (
  SELECT position, value, records AS synthetic, 0 AS train, 0 AS holdout
  FROM counted_numbers(synthetic)
  WHERE $synthetic IS NOT NULL

  UNION ALL

  SELECT position, value, 0 AS synthetic, records AS train, 0 AS holdout
  FROM counted_numbers(train)

  UNION ALL

  SELECT position, value, 0 AS synthetic, 0 AS train, records AS holdout
  FROM counted_numbers(holdout)
),
numbers AS (
  SELECT
    position,
    CAST(sum(synthetic) AS BIGINT) AS synthetic,
    CAST(sum(train) AS BIGINT) AS train,
    CAST(sum(holdout) AS BIGINT) AS holdout
  FROM counted
  GROUP BY position, value
)
SELECT position, 'number' AS kind, synthetic, train, holdout
FROM numbers

UNION ALL

SELECT
  numbers.position,
  'number' AS kind,
  CAST(coalesce(max(sizes.holdout), 0) - sum(numbers.synthetic) AS BIGINT) AS synthetic,
  CAST(max(sizes.train) - sum(numbers.train) AS BIGINT) AS train,
  CAST(max(sizes.synthetic) - sum(numbers.holdout) AS BIGINT) AS holdout
FROM numbers
CROSS JOIN sizes(synthetic := holdout, train := train, holdout := synthetic) AS sizes
GROUP BY numbers.position

UNION ALL

SELECT found.position, 'category' AS kind, found.holdout AS synthetic, found.train, found.synthetic AS holdout
FROM frequencies(synthetic := holdout, train := train, holdout := synthetic) AS found
