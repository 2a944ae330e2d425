/*
summary = "A value as a share of the largest; 1 if that is 0 or infinite, so that the mean of the shares times it is the same."
part = true

[parameters]
x = { type = "expression", doc = "a non-negative number" }
largest = { type = "expression", doc = "the largest of these numbers" }
*/
SELECT CASE WHEN x IS NULL THEN NULL WHEN largest > 0 AND isfinite(largest) THEN x / largest ELSE 1.0 END
