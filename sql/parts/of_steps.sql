/*
summary = "A sum of steps of 2 ** -60 as a number."
part = true

[parameters]
total = { type = "expression", doc = "a sum of steps" }
*/
SELECT CAST(total AS DOUBLE) / 1152921504606846976.0
