/*
summary = "The fifth power of a number modulo 2147483647, a permutation without visible order."
part = true

[parameters]
x = { type = "expression", doc = "a whole number from 0 to 2147483646" }
*/
SELECT (x * x % 2147483647) * (x * x % 2147483647) % 2147483647 * x % 2147483647
