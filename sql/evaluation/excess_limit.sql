/*
summary = "One end of the 95 % interval of such a number, where it has one: the lower for sign -1, the upper for 1."
part = true

[parameters]
statistic = { type = "expression", doc = "which" }
share = { type = "expression", doc = "the share" }
n = { type = "expression", doc = "of how many" }
usual = { type = "expression", doc = "the same share of real records" }
usual_n = { type = "expression", doc = "of how many" }
sign = { type = "expression", doc = "-1 or 1" }
*/
SELECT
  CASE
    WHEN statistic = 'share' THEN wilson(share, n, sign)
    WHEN statistic = 'expected' THEN wilson(usual, usual_n, sign)
    WHEN statistic = 'excess' THEN newcombe(share, n, usual, usual_n, sign)
  END
