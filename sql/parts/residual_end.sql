/*
summary = "One end of the 95 % interval of a residual risk: the lower for sign -1, the upper for 1."
source = "Error propagation from the ends of the two Wilson intervals."
part = true

[parameters]
rate = { type = "expression", doc = "the rate" }
n = { type = "expression", doc = "of how many" }
control = { type = "expression", doc = "the control" }
control_n = { type = "expression", doc = "of how many" }
sign = { type = "expression", doc = "-1 or 1" }
*/
SELECT
  CASE
    WHEN control < 1 THEN least(1.0, residual(rate, control) + sign * sqrt(
      (wilson(rate, n, sign) - rate) * (wilson(rate, n, sign) - rate)
      + (wilson(control, control_n, -sign) - control) * (wilson(control, control_n, -sign) - control)
        * (1 - rate) * (1 - rate) / ((1 - control) * (1 - control))
    ) / (1 - control))
  END
