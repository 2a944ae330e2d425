/*
summary = "Whether a guess is within a share of the true value's magnitude, or of a time's range; missing equals missing."
part = true

[parameters]
guess = { type = "expression", doc = "a number" }
truth = { type = "expression", doc = "the true one" }
tolerance = { type = "expression", doc = "the share" }
reach = { type = "expression", doc = "the range of real times; NULL for a number" }
*/
SELECT coalesce(abs(guess - truth) <= tolerance * coalesce(reach, abs(truth)), guess IS NULL AND truth IS NULL)
