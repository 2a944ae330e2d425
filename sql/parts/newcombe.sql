/*
summary = "One end of the 95 % interval of the difference of two shares: the lower for sign -1, the upper for 1."
source = "Hybrid score interval, method 10 of Newcombe, Statistics in Medicine 17 (1998): of the Wilson limits of both."
part = true

[parameters]
share = { type = "expression", doc = "the one share" }
n = { type = "expression", doc = "of how many" }
usual = { type = "expression", doc = "the share that is subtracted" }
usual_n = { type = "expression", doc = "of how many" }
sign = { type = "expression", doc = "-1 or 1" }
*/
SELECT
  share - usual + sign * sqrt(
    (wilson(share, n, sign) - share) * (wilson(share, n, sign) - share)
    + (wilson(usual, usual_n, 0 - sign) - usual) * (wilson(usual, usual_n, 0 - sign) - usual)
  )
