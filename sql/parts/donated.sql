/*
summary = "For every record of train, the draws of its cells, the predicted numbers, and the values taken from other records."
part = true
options = ["seed", "forest"]
run.operator = "donors"
tables = ["train"]
*/
-- The donor's value is read from the table itself, so that no type loses precision.
SELECT
  unchanged.record,
  predicted.draws,
  predicted.numbers,
  each(compared,
    nth_value(unchanged.this_column, predicted.donors[this_position + 1] + 1)
      OVER (ORDER BY unchanged.record ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
  )
FROM originals(train) AS unchanged
JOIN forest(train) AS predicted ON predicted.record = unchanged.record
