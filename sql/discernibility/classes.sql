/*
summary = "The equivalence classes of a table and their sizes; NULL counts as a value, and NaN as NULL."
part = true

[parameters]
data = { type = "relation", doc = "a table" }
*/
SELECT
  each(quasi_identifiers, raw_value(this_column)),
  count(*) AS size
FROM data
GROUP BY each(quasi_identifiers, raw_value(this_column))
