/*
summary = "One end of the 95 % Wilson interval of a share: the lower for sign -1, the upper for 1."
part = true

[parameters]
share = { type = "expression", doc = "the share" }
n = { type = "expression", doc = "of how many" }
sign = { type = "expression", doc = "-1 or 1" }
*/
-- For shares of 0 and 1, one end is exactly 0 or 1, which rounding would exceed. 3.84… is the square of the normal
-- quantile at 97.5 %.
SELECT
  CASE
    WHEN sign < 0 AND share = 0 THEN 0.0
    WHEN sign > 0 AND share = 1 THEN 1.0
    ELSE
      (
        share + 3.8414588206941254 / (2 * nullif(n, 0))
        + sign * sqrt(3.8414588206941254 * (share * (1 - share) / nullif(n, 0) + 3.8414588206941254 / (4.0 * nullif(n, 0) * n)))
      ) / (1 + 3.8414588206941254 / nullif(n, 0))
  END
