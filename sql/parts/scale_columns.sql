/*
summary = "One row: the scale of each numeric column, by which differences are divided; 0 or NULL if it is compared by equality."
part = true
run.materialized = true
tables = ["train"]

[parameters]
train = { doc = "the table that determines the scale" }
*/
SELECT
  count(*) AS "rows",
  each(numeric, this_spread :=
    CASE $scaling
      WHEN 'minmax' THEN max(this_column) - min(this_column)
      WHEN 'robust' THEN quantile_cont(this_column, 0.75) - quantile_cont(this_column, 0.25)
      ELSE this_unit
    END
  )
FROM finite(train)
WHERE $scaling <> 'standard'

UNION ALL

SELECT "rows", each(numeric, this_spread)
FROM moments(train)
WHERE $scaling = 'standard'
