/*
summary = "The mean of numbers that are not negative, of any size, the same in whatever order a database adds them up; infinite where one of them is."
part = true

[parameters]
x = { type = "expression", doc = "a number that is not negative" }
largest = { type = "expression", doc = "a column with the largest of the numbers that the mean is taken of" }
*/
SELECT max(largest) * exact_sum(share_of(x, largest)) / nullif(count(x), 0)
