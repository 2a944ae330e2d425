/*
summary = "The residual risk: what a rate has above a control, of what there was to have; NULL where the control is 1."
part = true

[parameters]
rate = { type = "expression", doc = "the rate" }
control = { type = "expression", doc = "the control" }
*/
SELECT (rate - control) / nullif(1 - control, 0)
