/*
summary = "The share of train records that are hit, with its interval, and that of holdout records."
part = true
run.few = true

[parameters]
outcomes = { type = "relation", doc = "rows of side, train or holdout, and hit, 1 or 0" }
*/
WITH counts AS (
  SELECT
    count(*) FILTER (WHERE side = 'train') AS n,
    sum(CASE WHEN side = 'train' THEN hit END) AS hits,
    count(*) FILTER (WHERE side = 'holdout') AS control_n,
    sum(CASE WHEN side = 'holdout' THEN hit END) AS control_hits
  FROM outcomes
),
shares AS (
  SELECT
    n,
    CAST(hits AS DOUBLE) / nullif(n, 0) AS share,
    CAST(control_hits AS DOUBLE) / nullif(control_n, 0) AS control
  FROM counts
)
SELECT
  n,
  share,
  wilson(share, n, -1) AS lower,
  wilson(share, n, 1) AS upper,
  control,
  share - control AS excess
FROM shares
