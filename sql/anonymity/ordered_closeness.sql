/*
summary = "The largest earth mover's distance, over ranks, between a class and the table, for each sensitive column of numbers or times."
source = "t-closeness with the ordered ground distance: Li, Li and Venkatasubramanian, ICDE 2007."
part = true
run.few = true

[parameters]
data = { type = "relation", doc = "a table" }
*/
-- If A_i records of the table and B of the class are at most the i-th of the table's m values, the distance is the sum
-- over i of |B/size - A_i/rows|, divided by m - 1. B is a step function that changes only at values of the class.
-- Within a step, the A_i below and above B's share are summed separately. So the time depends on the values of the
-- class, not m.
WITH numbers AS (
  SELECT position, class, place, n, in_table, "rows", size
  FROM class_values(data := data)
  WHERE role <> 'categorical'
),
accumulated AS (
  SELECT
    position,
    place,
    max("rows") AS "rows",
    CAST(sum(max(in_table)) OVER (PARTITION BY position ORDER BY place) AS HUGEINT) AS through
  FROM numbers
  GROUP BY position, place
),
-- For each value, the sum of the A_i before it.
table_values AS (
  SELECT
    position,
    place,
    "rows",
    through,
    CAST(sum(through) OVER (PARTITION BY position ORDER BY place) - through AS HUGEINT) AS sum_before,
    CAST(sum(through) OVER (PARTITION BY position) AS HUGEINT) AS sum_all,
    count(*) OVER (PARTITION BY position) AS m
  FROM accumulated
),
-- The argument of lead must be nullable: otherwise ClickHouse returns 0 after the last row.
steps AS (
  SELECT
    numbers.position,
    numbers.class,
    numbers.size,
    numbers."rows",
    table_values.m,
    numbers.place AS first,
    coalesce(lead(nullif(numbers.place, -1)) OVER (PARTITION BY numbers.position, numbers.class ORDER BY numbers.place), table_values.m) AS next,
    CAST(sum(numbers.n) OVER (PARTITION BY numbers.position, numbers.class ORDER BY numbers.place) AS HUGEINT) AS through,
    table_values.sum_before AS sum_first,
    coalesce(
      lead(nullif(table_values.sum_before, -1)) OVER (PARTITION BY numbers.position, numbers.class ORDER BY numbers.place), table_values.sum_all
    ) AS sum_next,
    row_number() OVER (PARTITION BY numbers.position, numbers.class ORDER BY numbers.place) = 1 AS is_first
  FROM numbers
  JOIN table_values ON table_values.position = numbers.position AND table_values.place = numbers.place
),
-- Steps and values of the table sorted by share, to find the values below each step.
marks AS (
  SELECT
    position, class, size, "rows", m, first, next, through, sum_first, sum_next, is_first,
    CAST(through AS DOUBLE) / CAST(size AS DOUBLE) AS share, 0 AS is_value, CAST(0 AS HUGEINT) AS value_through
  FROM steps

  UNION ALL

  SELECT
    position, NULL, NULL, "rows", m, NULL, NULL, NULL, NULL, NULL, NULL,
    CAST(through AS DOUBLE) / CAST("rows" AS DOUBLE) AS share, 1 AS is_value, through AS value_through
  FROM table_values
),
placed AS (
  SELECT
    *,
    sum(is_value) OVER (PARTITION BY position ORDER BY share, is_value ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS below,
    CAST(sum(value_through) OVER (PARTITION BY position ORDER BY share, is_value ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS HUGEINT) AS sum_below
  FROM marks
),
split AS (
  SELECT
    *,
    CAST(CASE WHEN below <= first THEN first WHEN below >= next THEN next ELSE below END AS HUGEINT) AS crossing,
    CASE WHEN below <= first THEN sum_first WHEN below >= next THEN sum_next ELSE sum_below END AS sum_crossing
  FROM placed
  WHERE is_value = 0
),
per_class AS (
  SELECT
    position,
    CAST(sum(
      through * "rows" * (2 * crossing - first - next) + size * (sum_first + sum_next - 2 * sum_crossing)
      + CASE WHEN is_first THEN size * sum_first ELSE 0 END
    ) AS DOUBLE) / nullif(CAST(max(size) * max("rows") * (max(m) - 1) AS DOUBLE), 0) AS t_ordered
  FROM split
  GROUP BY position, class
)
SELECT position, coalesce(max(t_ordered), 0.0) AS t_ordered
FROM per_class
GROUP BY position
