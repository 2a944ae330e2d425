/*
summary = "A number as a whole number of steps of 2 ** -60, as exact sums add them up."
part = true

[parameters]
x = { type = "expression", doc = "a number from -4 to 4" }
*/
SELECT CAST(CAST(x * 1152921504606846976.0 AS BIGINT) AS HUGEINT)
