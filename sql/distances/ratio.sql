/*
summary = "Nearest neighbor distance ratio: 0/0 is 1, because two equally near records single nobody out; x/0 is infinite."
part = true

[parameters]
numerator = { type = "expression", doc = "a distance" }
denominator = { type = "expression", doc = "a distance" }
*/
SELECT
  CASE
    WHEN numerator = 0 AND denominator = 0 THEN 1.0
    WHEN denominator = 0 THEN CAST('Infinity' AS DOUBLE)
    ELSE numerator / denominator
  END
