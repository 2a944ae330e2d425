/*
summary = "The Kolmogorov-Smirnov and Wasserstein distances of each numeric column, from synthetic to train and from the holdout to train."
part = true
run.few = true
tables = ["synthetic", "train", "holdout?"]
*/
WITH alone AS (
  SELECT position, value, records AS synthetic, 0 AS train, 0 AS holdout
  FROM counted_numbers(synthetic)

  UNION ALL

  SELECT position, value, 0 AS synthetic, records AS train, 0 AS holdout
  FROM counted_numbers(train)

  UNION ALL

  SELECT position, value, 0 AS synthetic, 0 AS train, records AS holdout
  FROM counted_numbers(holdout)
  WHERE $holdout IS NOT NULL
),
counted AS (
  SELECT
    position,
    value,
    CAST(sum(synthetic) AS BIGINT) AS synthetic,
    CAST(sum(train) AS BIGINT) AS train,
    CAST(sum(holdout) AS BIGINT) AS holdout
  FROM alone
  GROUP BY position, value
),
sides AS (
  SELECT position, 'synthetic' AS side, value, synthetic AS others, train FROM counted
  UNION ALL
  SELECT position, 'holdout' AS side, value, holdout AS others, train FROM counted WHERE $holdout IS NOT NULL
),
-- The cumulative count of a table: its records with at most this value; missing values are not included.
curves AS (
  SELECT
    position,
    side,
    others,
    train,
    CAST(sum(others) OVER (
      PARTITION BY position, side ORDER BY value ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS DOUBLE) AS others_below,
    CAST(sum(train) OVER (
      PARTITION BY position, side ORDER BY value ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS DOUBLE) AS train_below,
    CAST(sum(others) OVER (PARTITION BY position, side) AS DOUBLE) AS others_present,
    CAST(sum(train) OVER (PARTITION BY position, side) AS DOUBLE) AS train_present,
    lead(value) OVER (PARTITION BY position, side ORDER BY value) - value AS width,
    max(value) OVER (PARTITION BY position, side) - min(value) OVER (PARTITION BY position, side) AS whole,
    max(CASE WHEN train > 0 THEN value END) OVER (PARTITION BY position, side)
      - min(CASE WHEN train > 0 THEN value END) OVER (PARTITION BY position, side) AS train_range
  FROM sides
),
gaps AS (
  SELECT
    curves.*,
    curves.others_present / nullif(sizes.others, 0) AS others_share,
    curves.train_present / nullif(sizes.train, 0) AS train_share,
    curves.others_below / nullif(sizes.others, 0) - curves.train_below / nullif(sizes.train, 0) AS gap,
    CASE
      WHEN curves.width > 0 AND isfinite(curves.whole) AND curves.others_present > 0 AND curves.train_present > 0 THEN
        abs(curves.others_below / curves.others_present - curves.train_below / curves.train_present)
        * (curves.width / curves.whole)
      ELSE 0.0
    END AS area
  FROM curves
  JOIN (
    SELECT 'synthetic' AS side, synthetic AS others, train FROM sizes(synthetic, train, holdout)
    UNION ALL
    SELECT 'holdout' AS side, holdout AS others, train FROM sizes(synthetic, train, holdout)
  ) AS sizes ON sizes.side = curves.side
)
-- Missing values count with the numbers below a limit or with those above it: the larger difference counts.
SELECT
  position,
  side,
  greatest(max(abs(gap)), max(abs(gap + train_share - others_share))) AS kolmogorov,
  -- Values cost their difference / range of train; a missing one against a value costs 1, as does any difference from a
  -- -- constant column. A range that exceeds DOUBLE has no distance.
  abs(max(others_share) - max(train_share)) + least(max(others_share), max(train_share)) * CASE
    WHEN NOT isfinite(max(whole)) THEN NULL
    WHEN max(train_range) > 0 THEN exact_sum(area) * (max(whole) / max(train_range))
    WHEN max(others_present) > 0 AND max(train_present) > 0
    THEN 1 - CAST(sum(CASE WHEN train > 0 THEN others ELSE 0 END) AS DOUBLE) / max(others_present)
    ELSE 0.0
  END AS wasserstein
FROM gaps
GROUP BY position, side
