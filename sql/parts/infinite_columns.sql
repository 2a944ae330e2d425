/*
summary = "The columns of numbers and times with infinite values, and their number."
part = true
reads.compares = true
options = ["distance.columns"]
order = ["position"]

[parameters]
data = { type = "relation", doc = "a table" }

[columns]
column_name = "VARCHAR"
infinite = "BIGINT"
*/
WITH counted AS (
  SELECT each(numeric, count(CASE WHEN isinf(this_column) THEN 1 END))
  FROM encoded(data)
)
SELECT this_position AS position, this_name AS column_name, this_column AS infinite
FROM each_column(numeric, counted)
WHERE this_column > 0
