/*
summary = "The sum of numbers from -4 to 4, the same in whatever order a database adds them up."
part = true

[parameters]
x = { type = "expression", doc = "a number from -4 to 4" }
*/
-- A database that adds with several threads adds in an order of its own; only sums of whole numbers do not show it.
SELECT of_steps(sum(steps(x)))
