/*
summary = "The natural logarithm of the ratio of two distances; 0/0 gives 0."
part = true

[parameters]
numerator = { type = "expression", doc = "a distance" }
denominator = { type = "expression", doc = "a distance" }
*/
SELECT
  CASE
    WHEN numerator = denominator THEN 0.0
    WHEN denominator = 0 THEN CAST('Infinity' AS DOUBLE)
    WHEN numerator = 0 THEN CAST('-Infinity' AS DOUBLE)
    ELSE ln(numerator) - ln(denominator)
  END
