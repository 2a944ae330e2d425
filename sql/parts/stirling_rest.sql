/*
summary = "The natural logarithm of n! less n ln n - n, for a whole number n, to 1e-13."
source = "Stieltjes' continued fraction of Stirling's series: Abramowitz and Stegun 6.1.48."
part = true

[parameters]
n = { type = "expression", doc = "a whole number, at least 0, as DOUBLE" }
*/
-- 0.9189… is half the logarithm of 2 pi.
SELECT
  CASE n
    WHEN 0 THEN 0.0
    WHEN 1 THEN 1.0
    WHEN 2 THEN 1.3068528194400546
    WHEN 3 THEN 1.4959226032237258
    WHEN 4 THEN 1.6328763858683832
    WHEN 5 THEN 1.7403021806115442
    ELSE
      0.9189385332046728 + 0.5 * ln(n) + 0.08333333333333333 / (
        n + 0.03333333333333333 / (
          n + 0.2523809523809524 / (n + 0.5256064690026954 / (n + 1.0115230681268417 / (n + 1.5174736491532874 / n)))
        )
      )
  END
