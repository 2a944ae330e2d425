/*
summary = "The mean of numbers from -4 to 4, the same in whatever order a database adds them up; NULL where there is none."
part = true

[parameters]
x = { type = "expression", doc = "a number from -4 to 4" }
*/
SELECT exact_sum(x) / nullif(count(x), 0)
