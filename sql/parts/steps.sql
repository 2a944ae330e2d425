/*
summary = "A number as a whole number of steps of 2 ** -60, so that a sum is the same in whatever order it is added up."
part = true

[parameters]
x = { type = "expression", doc = "a number from -4 to 4" }
*/
-- A database that adds with several threads adds in an order of its own; only sums of whole numbers do not show it.
SELECT CAST(CAST(x * 1152921504606846976.0 AS BIGINT) AS HUGEINT)
