/*
summary = "The largest epsilon of differential privacy that the guesses of one run refute at 95 %, over the three numbers of guesses."
source = "Steinke, Nasr and Jagielski, NeurIPS 2023, without a delta."
part = true
run.few = true

[parameters]
guesses = { type = "relation", doc = "rows of attack, folds, guesses and correct" }
*/
SELECT attack, max(CASE WHEN lower > 0.5 THEN ln(lower / (1 - lower)) ELSE 0.0 END) AS epsilon_lower
FROM limits(guesses := guesses)
GROUP BY attack
