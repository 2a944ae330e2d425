/*
summary = "One row: where each number is centered and by what it is divided, as lists in the order of the numeric columns."
part = true

[parameters]
train = { type = "relation", doc = "the table that the scale is taken from" }
*/
SELECT
  "rows",
  CAST([each(numeric, this_center)] AS DOUBLE[]) AS centers,
  CAST([each(numeric, this_spread)] AS DOUBLE[]) AS spreads
FROM scale_columns(train)
