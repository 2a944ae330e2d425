/*
summary = "Compares counts with the same counts of real rows: both shares, their difference with its 95 % interval, and a one-sided test."
source = "Intervals: Wilson, JASA 22 (1927), and of the difference Newcombe's hybrid of both, Statistics in Medicine 17 (1998); test: score test of two proportions, pooled, with Yates' correction for continuity."
part = true
run.few = true

[parameters]
counts = { type = "relation", doc = "rows of records, n, usual_records and usual_n; further columns are passed through" }
*/
WITH shares AS (
  SELECT
    *,
    CAST(records AS DOUBLE) / nullif(n, 0) AS share,
    CAST(usual_records AS DOUBLE) / nullif(usual_n, 0) AS expected,
    CAST(records + usual_records AS DOUBLE) / nullif(n + usual_n, 0) AS pooled
  FROM counts
),
limits AS (
  SELECT
    *,
    wilson(share, n, -1) AS share_lower,
    wilson(share, n, 1) AS share_upper,
    wilson(expected, usual_n, -1) AS expected_lower,
    wilson(expected, usual_n, 1) AS expected_upper,
    (share - expected - 0.5 * (1.0 / nullif(n, 0) + 1.0 / nullif(usual_n, 0)))
    / nullif(sqrt(2 * pooled * (1 - pooled) * (1.0 / nullif(n, 0) + 1.0 / nullif(usual_n, 0))), 0) AS x
  FROM shares
)
SELECT
  *,
  share - expected AS excess,
  share - expected - sqrt(
    (share - share_lower) * (share - share_lower) + (expected_upper - expected) * (expected_upper - expected)
  ) AS excess_lower,
  share - expected + sqrt(
    (share_upper - share) * (share_upper - share) + (expected - expected_lower) * (expected - expected_lower)
  ) AS excess_upper,
  -- If both shares are 0 or both are 1, there is nothing to test.
  CASE WHEN pooled <= 0 OR pooled >= 1 THEN 1.0 ELSE 0.5 * erfc(x) END AS p_value
FROM limits
