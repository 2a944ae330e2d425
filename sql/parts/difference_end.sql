/*
summary = "One end of the 95 % interval of the difference of two independent shares: the lower for sign -1, the upper for 1."
source = "Wilson intervals, their distances squared and added: Newcombe, Statistics in Medicine 17 (1998), method 10."
part = true

[parameters]
share = { type = "expression", doc = "the first share" }
n = { type = "expression", doc = "of how many" }
control = { type = "expression", doc = "the other share, which is subtracted" }
control_n = { type = "expression", doc = "of how many" }
sign = { type = "expression", doc = "-1 or 1" }
*/
SELECT
  share - control + sign * sqrt(
    (wilson(share, n, sign) - share) * (wilson(share, n, sign) - share)
    + (wilson(control, control_n, -sign) - control) * (wilson(control, control_n, -sign) - control)
  )
