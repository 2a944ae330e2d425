/*
summary = "The number of records in equivalence classes of 1, 2, 3 to 4, 5 to 8 and so on records."
part = true

[parameters]
classes = { type = "relation", doc = "rows of size" }
*/
WITH doubled AS (
  SELECT size, CAST(ceil(log2(size)) AS INTEGER) AS power
  FROM classes
)
SELECT
  CASE WHEN power < 2 THEN 1 + power ELSE power(2, power - 1) + 1 END AS lower,
  power(2, power) AS upper,
  sum(size) AS records
FROM doubled
GROUP BY power
