/*
summary = "One row: mean and population standard deviation of each numeric column, as two adjacent columns."
part = true
run.materialized = true
tables = ["train"]

[parameters]
train = { doc = "the table that they are computed from" }
*/
WITH extremes AS MATERIALIZED (
  SELECT
    count(*) AS "rows",
    each(numeric, this_least := min(this_column)),
    each(numeric, this_range := max(this_column) - min(this_column))
  FROM finite(train)
),
-- Mean and deviation are computed on numbers scaled to [0, 1] by minimum and maximum: seconds since 1970 would leave
-- few digits. Constant columns have no scale, nor do columns whose range exceeds DOUBLE.
places AS (
  SELECT
    finite.record,
    each(numeric,
      CASE
        WHEN finite.this_column IS NULL THEN NULL
        WHEN extremes.this_range > 0 AND isfinite(extremes.this_range)
        THEN (finite.this_column - extremes.this_least) / extremes.this_range
        ELSE 0.0
      END
    )
  FROM finite(train) AS finite
  CROSS JOIN extremes
),
means AS MATERIALIZED (
  SELECT
    count(*) AS "rows",
    each(numeric, exact_mean(this_column))
  FROM places
),
deviations AS (
  SELECT
    count(*) AS "rows",
    each(numeric,
      sqrt(
        exact_sum((places.this_column - means.this_column) * (places.this_column - means.this_column))
        / nullif(count(places.this_column), 0)
      )
    )
  FROM places
  CROSS JOIN means
)
SELECT
  extremes."rows",
  each(numeric, this_center := extremes.this_least + means.this_column * extremes.this_range),
  each(numeric, this_spread := deviations.this_column * extremes.this_range)
FROM extremes
CROSS JOIN means
CROSS JOIN deviations
