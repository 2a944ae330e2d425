/*
summary = "Whether two values are equal; missing equals missing."
part = true

[parameters]
a = { type = "expression", doc = "a value" }
b = { type = "expression", doc = "another" }
*/
SELECT coalesce(a = b, a IS NULL AND b IS NULL)
