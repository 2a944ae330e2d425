/*
summary = "A value as a share of the largest; 1 where that is 0 or infinite, as the mean of the shares times it then is too."
part = true

[parameters]
x = { type = "expression", doc = "a number that is not negative" }
largest = { type = "expression", doc = "the largest of its kind" }
*/
SELECT CASE WHEN x IS NULL THEN NULL WHEN largest > 0 AND isfinite(largest) THEN x / largest ELSE 1.0 END
