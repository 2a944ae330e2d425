/*
summary = "One row: what differences of each number are divided by, as a list in the order of the numeric columns."
part = true

[parameters]
train = { type = "relation", doc = "the table that the scale is taken from" }
*/
SELECT
  "rows",
  CAST([each(numeric, this_spread)] AS DOUBLE[]) AS spreads
FROM scale_columns(train)
