/*
summary = "Whether a guess is within a share of the true value's magnitude; missing equals missing."
part = true

[parameters]
guess = { type = "expression", doc = "a number" }
truth = { type = "expression", doc = "the true one" }
tolerance = { type = "expression", doc = "the share" }
*/
SELECT coalesce(abs(guess - truth) <= tolerance * abs(truth), guess IS NULL AND truth IS NULL)
