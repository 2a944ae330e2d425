/*
summary = "The residual risk: the excess of a rate over a control, as a share of the largest possible excess; NULL if the control is 1."
part = true

[parameters]
rate = { type = "expression", doc = "the rate" }
control = { type = "expression", doc = "the control" }
*/
SELECT (rate - control) / nullif(1 - control, 0)
