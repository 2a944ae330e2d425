/*
summary = "One-sided p-value: the chance of a share so much larger than another, or more so, where both are draws of one population."
source = "Score test of two proportions, pooled, with Yates' correction for continuity."
part = true

[parameters]
share = { type = "expression", doc = "the share that may be too large" }
n = { type = "expression", doc = "of how many" }
usual = { type = "expression", doc = "the share that it is compared with" }
usual_n = { type = "expression", doc = "of how many" }
*/
-- Without a difference, or where all or none of both are counted, there is nothing to be told.
SELECT
  CASE
    WHEN share IS NULL OR usual IS NULL THEN NULL
    WHEN share * n + usual * usual_n <= 0 OR share * n + usual * usual_n >= n + usual_n THEN 1.0
    ELSE 0.5 * erfc(
      (share - usual - 0.5 * (1.0 / n + 1.0 / usual_n)) / sqrt(
        2 * (share * n + usual * usual_n) / (n + usual_n) * (1 - (share * n + usual * usual_n) / (n + usual_n))
        * (1.0 / n + 1.0 / usual_n)
      )
    )
  END
