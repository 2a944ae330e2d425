/*
summary = "Discernibility and related statistics from class sizes."
part = true

[parameters]
classes = { type = "relation", doc = "rows of size" }
k = { type = "integer", default = 0, doc = "smallest class kept; 0 keeps all" }
suppressed = { type = "integer", default = 0, doc = "rows taken out before" }
*/
-- A class below k is suppressed: each of its rows is indistinguishable from all rows of the original table.
WITH totals AS (
  SELECT
    CAST(coalesce(sum(CAST(size AS HUGEINT)), 0) AS HUGEINT) AS present,
    CAST(coalesce(sum(CASE WHEN size >= $k THEN CAST(size AS HUGEINT) * size END), 0) AS HUGEINT) AS squares,
    CAST(coalesce(sum(CASE WHEN size < $k THEN CAST(size AS HUGEINT) END), 0) AS BIGINT) AS rows_below_k,
    count(*) FILTER (WHERE size < $k) AS classes_below_k,
    count(*) AS classes,
    min(size) AS smallest_class
  FROM classes
),
sizes AS (
  SELECT
    CAST(present + $suppressed AS HUGEINT) AS original,
    CAST(rows_below_k + $suppressed AS HUGEINT) AS left_out,
    CAST($k AS HUGEINT) AS k,
    squares,
    rows_below_k,
    classes_below_k,
    classes,
    smallest_class,
    present
  FROM totals
),
measured AS (
  SELECT
    CAST(squares + left_out * original AS HUGEINT) AS discernibility,
    CASE WHEN k > 0 THEN best(original, k) END AS best,
    *
  FROM sizes
)
SELECT
  discernibility,
  CAST(original AS BIGINT) AS "rows",
  CAST(left_out AS BIGINT) AS suppressed,
  classes,
  CAST(smallest_class AS BIGINT) AS smallest_class,
  CAST(present AS DOUBLE) / nullif(classes, 0) AS average_class_size,
  CASE WHEN k > 0 THEN CAST(original AS DOUBLE) / nullif(CAST(classes AS HUGEINT) * k, 0) END AS c_avg,
  CASE WHEN k > 0 THEN rows_below_k END AS rows_below_k,
  CASE WHEN k > 0 THEN classes_below_k END AS classes_below_k,
  best,
  CAST(discernibility AS DOUBLE) / nullif(best, 0) AS ratio_to_best
FROM measured
