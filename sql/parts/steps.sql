/*
summary = "A number as an integer multiple of 2 ** -60, for exact sums."
part = true

[parameters]
x = { type = "expression", doc = "a number from -4 to 4" }
*/
SELECT CAST(CAST(x * 1152921504606846976.0 AS BIGINT) AS HUGEINT)
