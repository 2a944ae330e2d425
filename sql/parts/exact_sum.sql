/*
summary = "The sum of numbers from -4 to 4, independent of the order of addition."
part = true

[parameters]
x = { type = "expression", doc = "a number from -4 to 4" }
*/
-- With several threads the order of addition varies; only integer sums do not depend on it.
SELECT of_steps(sum(steps(x)))
