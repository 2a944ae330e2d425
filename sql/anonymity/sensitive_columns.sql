/*
summary = "What the classes disclose about each sensitive column, one row each, even without records."
part = true
run.few = true

[parameters]
data = { type = "relation", doc = "a table" }
l = { type = "integer", default = 2, doc = "as in anonymity" }
*/
WITH columns AS (
  SELECT this_position AS position, this_name AS column_name, this_role AS role
  FROM each_column(compared)
),
-- Differences of shares are integers over one denominator, size * rows: exact until the division.
per_class AS (
  SELECT
    position,
    count(*) AS distinct_l,
    exp(-exact_sum(CAST(n AS DOUBLE) / CAST(size AS DOUBLE) * ln(CAST(n AS DOUBLE) / CAST(size AS DOUBLE)))) AS entropy_l,
    CASE
      WHEN count(*) < $l THEN CAST('Infinity' AS DOUBLE)
      ELSE CAST(max(n) AS DOUBLE) / sum(CASE WHEN frequency_rank >= $l THEN n END)
    END AS recursive_c,
    max(CAST(n AS DOUBLE) / CAST(size AS DOUBLE)) AS alpha,
    CAST(sum(abs(n * "rows" - in_table * size)) + max(size) * (max("rows") - sum(in_table)) AS DOUBLE)
      / CAST(2 * max(size) * max("rows") AS DOUBLE) AS t_equal,
    max(CAST(n * "rows" AS DOUBLE) / CAST(in_table * size AS DOUBLE)) - 1 AS beta,
    max(abs(ln(CAST(n * "rows" AS DOUBLE) / CAST(in_table * size AS DOUBLE)))) AS delta,
    max(-ln(CAST(in_table AS DOUBLE) / CAST("rows" AS DOUBLE))) AS rarest
  FROM class_values(data := data)
  GROUP BY position, class
),
per_column AS (
  SELECT
    position,
    min(distinct_l) AS distinct_l,
    min(entropy_l) AS entropy_l,
    max(recursive_c) AS recursive_c,
    max(alpha) AS alpha,
    max(t_equal) AS t_equal,
    max(beta) AS beta,
    least(max(beta), max(rarest)) AS enhanced_beta,
    max(delta) AS delta
  FROM per_class
  GROUP BY position
)
SELECT
  columns.position,
  columns.column_name,
  found.distinct_l,
  found.entropy_l,
  found.recursive_c,
  found.alpha,
  found.t_equal,
  ordered.t_ordered,
  found.beta,
  found.enhanced_beta,
  found.delta
FROM columns
LEFT JOIN per_column AS found ON found.position = columns.position
LEFT JOIN ordered_closeness(data := data) AS ordered ON ordered.position = columns.position
