/*
summary = "A pseudorandom number from 0 to 2147483646 for a record and a seed: the same in every database, and different for each record."
source = "An affine map and a fifth power modulo the prime 2147483647: both are permutations."
part = true

[parameters]
record = { type = "expression", doc = "a record number" }
seed = { type = "expression", doc = "a whole number, 0 or more" }
*/
SELECT fifth_power((record % 2147483647 * 48271 + (seed % 2147483647 + 1) * 69621) % 2147483647)
