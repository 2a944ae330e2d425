/*
summary = "The lower confidence limit of the share of correct guesses at level 0.05 / 3, as three numbers of guesses are tried, in each fold; NULL if none is correct."
source = "Clopper and Pearson, Biometrika 26 (1934)."
part = true
run.few = true
run.operator = "beta quantiles"

[parameters]
guesses = { type = "relation", doc = "rows of attack, folds, guesses and correct" }
*/
SELECT
  attack,
  guesses,
  correct,
  synthpriv_beta_quantile(
    0.05 / 3 / CAST(folds AS DOUBLE), CAST(correct AS DOUBLE), CAST(guesses - correct + 1 AS DOUBLE)
  ) AS lower
FROM guesses
