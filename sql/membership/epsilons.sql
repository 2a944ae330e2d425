/*
summary = "The largest epsilon of differential privacy that the guesses of one run refute at 95 %, over the three numbers of guesses."
source = "As guesses; the limit of a share: Clopper and Pearson, Biometrika 26 (1934), at 0.05 / 3."
part = true
few = true

[parameters]
guesses = { type = "relation", doc = "rows of attack, guesses and correct" }
*/
WITH limits AS (
  SELECT
    attack,
    CASE
      WHEN correct = 0 THEN 0.0
      ELSE synthpriv_beta_quantile(0.05 / 3, CAST(correct AS DOUBLE), CAST(guesses - correct + 1 AS DOUBLE))
    END AS lower
  FROM guesses
)
SELECT attack, max(CASE WHEN lower > 0.5 THEN ln(lower / (1 - lower)) ELSE 0.0 END) AS epsilon_lower
FROM limits
GROUP BY attack
