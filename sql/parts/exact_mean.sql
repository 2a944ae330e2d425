/*
summary = "The mean of numbers from -4 to 4, independent of the order of addition; NULL without numbers."
part = true

[parameters]
x = { type = "expression", doc = "a number from -4 to 4" }
*/
SELECT exact_sum(x) / nullif(count(x), 0)
