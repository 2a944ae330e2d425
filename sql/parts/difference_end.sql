/*
summary = "One end of the 95 % interval of a difference of two shares, of two independent groups: the lower for sign -1, the upper for 1."
source = "Wilson intervals, their distances squared and added: Newcombe, Statistics in Medicine 17 (1998), method 10."
part = true

[parameters]
share = { type = "expression", doc = "the one share" }
n = { type = "expression", doc = "of how many" }
control = { type = "expression", doc = "the other, which is taken from it" }
control_n = { type = "expression", doc = "of how many" }
sign = { type = "expression", doc = "-1 or 1" }
*/
SELECT
  share - control + sign * sqrt(
    (wilson(share, n, sign) - share) * (wilson(share, n, sign) - share)
    + (wilson(control, control_n, -sign) - control) * (wilson(control, control_n, -sign) - control)
  )
