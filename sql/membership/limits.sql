/*
summary = "The least share of right guesses that the guesses do not refute at 0.05 / 3: three numbers of them are tried, in each fold; NULL where none is right."
source = "Clopper and Pearson, Biometrika 26 (1934)."
part = true
few = true

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
