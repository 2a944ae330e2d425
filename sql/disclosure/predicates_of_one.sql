/*
summary = "Every predicate on one column that matches exactly one synthetic record, with the number of train and holdout records that it matches."
part = true
run.materialized = true
tables = ["synthetic", "train", "holdout?"]
*/
-- One row for each value of a column. For numbers also the number of synthetic records with at most and at least this
-- value, and with any.
WITH column_values AS MATERIALIZED (
  SELECT
    this_position AS position,
    count(*) FILTER (WHERE side = 1) AS in_synthetic,
    count(*) FILTER (WHERE side = 2) AS in_train,
    count(*) FILTER (WHERE side = 3) AS in_holdout,
    CAST(NULL AS BIGINT) AS up_to,
    CAST(NULL AS BIGINT) AS from_it_on,
    CAST(NULL AS BIGINT) AS present
  FROM each_column(categorical, stacked(synthetic := synthetic, train := train, holdout := holdout))
  GROUP BY this_column

  UNION ALL

  SELECT
    this_position AS position,
    count(*) FILTER (WHERE side = 1) AS in_synthetic,
    count(*) FILTER (WHERE side = 2) AS in_train,
    count(*) FILTER (WHERE side = 3) AS in_holdout,
    CASE WHEN this_column IS NOT NULL THEN CAST(sum(count(*) FILTER (WHERE side = 1)) OVER (
      PARTITION BY CASE WHEN this_column IS NULL THEN 1 ELSE 0 END ORDER BY this_column
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS BIGINT) END AS up_to,
    CASE WHEN this_column IS NOT NULL THEN CAST(sum(count(*) FILTER (WHERE side = 1)) OVER (
      PARTITION BY CASE WHEN this_column IS NULL THEN 1 ELSE 0 END ORDER BY this_column
      ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING
    ) AS BIGINT) END AS from_it_on,
    CASE WHEN this_column IS NOT NULL THEN CAST(sum(count(*) FILTER (WHERE side = 1)) OVER (
      PARTITION BY CASE WHEN this_column IS NULL THEN 1 ELSE 0 END
    ) AS BIGINT) END AS present
  FROM each_column(numeric, stacked(synthetic := synthetic, train := train, holdout := holdout))
  GROUP BY this_column
)
SELECT in_train, in_holdout
FROM column_values
WHERE in_synthetic = 1

UNION ALL

-- Less than the second smallest number of synthetic.
SELECT CAST(sum(in_train) AS BIGINT) AS in_train, CAST(sum(in_holdout) AS BIGINT) AS in_holdout
FROM column_values
WHERE up_to <= 1 AND present > 1
GROUP BY position
HAVING sum(in_synthetic) = 1

UNION ALL

SELECT CAST(sum(in_train) AS BIGINT) AS in_train, CAST(sum(in_holdout) AS BIGINT) AS in_holdout
FROM column_values
WHERE from_it_on <= 1 AND present > 1
GROUP BY position
HAVING sum(in_synthetic) = 1
