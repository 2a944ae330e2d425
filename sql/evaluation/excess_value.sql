/*
summary = "A number of a count that is compared with what is usual: records or flagged, share, expected, excess, p_value."
part = true

[parameters]
statistic = { type = "expression", doc = "which" }
records = { type = "expression", doc = "the count" }
share = { type = "expression", doc = "as a share" }
usual = { type = "expression", doc = "the same share of real records" }
p_value = { type = "expression", doc = "as tested_excess has it" }
*/
SELECT
  CASE
    WHEN statistic = 'share' THEN share
    WHEN statistic = 'expected' THEN usual
    WHEN statistic = 'excess' THEN share - usual
    WHEN statistic = 'p_value' THEN p_value
    ELSE CAST(records AS DOUBLE)
  END
