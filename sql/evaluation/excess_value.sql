/*
summary = "A number of a count that is compared with what is usual: records or flagged, share, expected, excess, p_value."
part = true

[parameters]
statistic = { type = "expression", doc = "which" }
records = { type = "expression", doc = "the count" }
share = { type = "expression", doc = "as a share" }
n = { type = "expression", doc = "of how many" }
usual = { type = "expression", doc = "the same share of real records" }
usual_n = { type = "expression", doc = "of how many" }
*/
SELECT
  CASE
    WHEN statistic = 'share' THEN share
    WHEN statistic = 'expected' THEN usual
    WHEN statistic = 'excess' THEN share - usual
    WHEN statistic = 'p_value' THEN larger_share(share, n, usual, usual_n)
    ELSE CAST(records AS DOUBLE)
  END
