/*
summary = "The equivalence classes of a table and their sizes; NULL is a value like any other, and NaN is NULL."
part = true

[parameters]
data = { type = "relation", doc = "a table" }
*/
SELECT
  each(quasi_identifiers, raw_value(this_column)),
  count(*) AS size
FROM data
GROUP BY each(quasi_identifiers, raw_value(this_column))
