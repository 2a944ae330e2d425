/*
summary = "The area under resemblance as a function of privacy while the threshold runs over (0, 1), exact."
part = true

[parameters]
distances = { type = "relation", doc = "rows of x, from 0 to 1" }
*/
-- Between two steps F is constant. There privacy_area(t) = F + c/t with c = (area up to the step) - F * step, and
-- resemblance(t) = (K - F t)/(1 - t) with K = (area after the step) + F * step, so that the area under the trade-off is
-- the sum over steps of -c * [(K - F) ln(t/(1 - t)) - K/t] between step and next. In the first piece c is 0, in the last
-- K = F: neither logarithm is ever taken where it has no value.
WITH steps AS (
  SELECT x, count(*) AS records
  FROM distances
  GROUP BY x
),
curve AS (
  SELECT
    x,
    coalesce(lead(x) OVER (ORDER BY x), 1.0) AS next_x,
    CAST(sum(records) OVER (ORDER BY x ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS DOUBLE)
      / sum(records) OVER () AS f
  FROM steps
),
areas AS (
  SELECT
    x,
    next_x,
    f,
    coalesce(
      sum(f * (next_x - x)) OVER (ORDER BY x ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0.0
    ) AS before
  FROM curve
),
pieces AS (
  SELECT
    x,
    next_x,
    f,
    before - f * x AS c,
    -- The last running sum is the total.
    max(before + f * (next_x - x)) OVER () - before + f * x AS k
  FROM areas
)
SELECT
  coalesce(exact_sum(
    -- c is as small as x: dividing by x first keeps the digits of near-copies.
    (c / next_x - c / x) * k
    - CASE WHEN next_x < 1 THEN c * (k - f) * (ln(next_x / (1 - next_x)) - ln(x / (1 - x))) ELSE 0.0 END
  ), 0.0) AS tradeoff_area
FROM pieces
WHERE x > 0 AND x < 1
