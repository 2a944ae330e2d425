/*
summary = "A table like train with all cells predicted, and the random number of each cell."
part = true
run.materialized = true
options = ["seed", "forest"]
tables = ["train"]
*/
WITH ranges AS (
  SELECT
    count(*) AS "rows",
    each(numeric, {'least': min(this_column), 'largest': max(this_column)})
  FROM originals(train)
)
SELECT
  donated.record,
  donated.draws,
  each(categorical, donated.this_column),
  -- Rounding to the column's type must stay within the range of the originals.
  each(numeric,
    CASE
      WHEN donated.numbers[this_position + 1] IS NULL THEN donated.this_column
      ELSE least(
        greatest(restored_value(this_column, donated.numbers[this_position + 1], NULL), ranges.this_column.least),
        ranges.this_column.largest
      )
    END
  )
FROM donated(train) AS donated
CROSS JOIN ranges
