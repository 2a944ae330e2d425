/*
summary = "One row: where each number is centered and by what it is divided, as two columns beside each other."
part = true
materialized = true

[parameters]
train = { type = "relation", doc = "the table that the scale is taken from" }
*/
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
FROM finite(train)
WHERE $scaling <> 'standard'

UNION ALL

SELECT "rows", each(numeric, this_center), each(numeric, this_spread)
FROM moments(train)
WHERE $scaling = 'standard'
