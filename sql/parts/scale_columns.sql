/*
summary = "One row: where each number is centered and by what it is divided, as two columns beside each other."
part = true
materialized = true

[parameters]
train = { type = "relation", doc = "the table that the scale is taken from" }
*/
-- Infinite values are left to the search, which reports them with table, column and count.
WITH finite AS (
  SELECT
    record,
    each(numeric, CASE WHEN isfinite(this_column) THEN this_column END)
  FROM encoded(train)
),
-- Mean and deviation are taken of the differences to the smallest: seconds since 1970 would leave few digits for them.
least_values AS (
  SELECT count(*) AS "rows", each(numeric, min(this_column))
  FROM finite
)
SELECT
  count(*) AS "rows",
  each(numeric, this_center :=
    CASE $scaling
      WHEN 'minmax' THEN min(this_column)
      WHEN 'robust' THEN median(this_column)
      ELSE 0
    END
  ),
  each(numeric, this_spread :=
    CASE $scaling
      WHEN 'minmax' THEN max(this_column) - min(this_column)
      WHEN 'robust' THEN quantile_cont(this_column, 0.75) - quantile_cont(this_column, 0.25)
      ELSE CASE WHEN max(this_column) > min(this_column) THEN 1 ELSE 0 END
    END
  )
FROM finite
WHERE $scaling <> 'standard'

UNION ALL

SELECT
  count(*) AS "rows",
  each(numeric, this_center :=
    any_value(least_values.this_column) + avg(finite.this_column - least_values.this_column)
  ),
  -- A constant column has no spread; rounding in the sum of squares must not lend it one.
  each(numeric, this_spread :=
    CASE
      WHEN max(finite.this_column) > min(finite.this_column)
      THEN stddev_pop(finite.this_column - least_values.this_column)
      ELSE 0
    END
  )
FROM finite
CROSS JOIN least_values
WHERE $scaling = 'standard'
