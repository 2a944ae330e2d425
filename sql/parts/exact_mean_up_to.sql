/*
summary = "The mean of non-negative numbers of any size, independent of the order of addition; infinite if one of them is."
part = true

[parameters]
x = { type = "expression", doc = "a non-negative number" }
largest = { type = "expression", doc = "a column with the largest of these numbers" }
*/
SELECT max(largest) * exact_sum(share_of(x, largest)) / nullif(count(x), 0)
