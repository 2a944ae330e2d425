/*
summary = "How far a count is from an expected one: x ln(x / expected) + expected - x, without loss of digits where they are close."
source = "Loader, Fast and accurate computation of binomial probabilities (2000)."
part = true

[parameters]
x = { type = "expression", doc = "a count, as DOUBLE" }
expected = { type = "expression", doc = "the expected count, above 0" }
ratio = { type = "expression", doc = "(x - expected) / (x + expected)" }
*/
-- Close to 1, the logarithm is a series of the ratio, whose first term left out is below 1e-15 of the result.
SELECT
  CASE
    WHEN x = 0 THEN expected
    WHEN abs(ratio) < 0.1 THEN
      (x - expected) * ratio + 2 * x * ratio * ratio * ratio * (
        0.3333333333333333 + ratio * ratio * (
          0.2 + ratio * ratio * (
            0.14285714285714285 + ratio * ratio * (
              0.1111111111111111 + ratio * ratio * (
                0.09090909090909091 + ratio * ratio * (0.07692307692307693 + ratio * ratio * 0.06666666666666667)
              )
            )
          )
        )
      )
    ELSE x * ln(x / expected) + expected - x
  END
