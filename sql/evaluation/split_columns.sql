/*
summary = "For each column: the distance between the holdout and train, its p-value, and the shares of values that the other table lacks."
part = true
run.few = true
tables = ["synthetic?", "train", "holdout"]
*/
WITH shares AS (
  SELECT
    found.position,
    sum(CASE WHEN found.train = 0 THEN found.holdout ELSE 0 END) / nullif(max(units.holdout), 0) AS unseen,
    -- The share of values that occur once in train estimates the share of unseen values (Good and Turing).
    max(alone.records) / nullif(max(units.train), 0) AS expected_unseen,
    sum(CASE WHEN found.train + found.holdout = 0 THEN found.synthetic ELSE 0 END) / nullif(max(units.synthetic), 0)
      AS invented
  FROM split_values(synthetic := synthetic, train := train, holdout := holdout) AS found
  JOIN split_alone(synthetic := synthetic, train := train, holdout := holdout) AS alone
    ON alone.position = found.position
  CROSS JOIN split_units(synthetic := synthetic, train := train, holdout := holdout) AS units
  GROUP BY found.position
),
numbers AS (
  SELECT
    found.position,
    found.kolmogorov AS statistic,
    found.kolmogorov * sqrt(units.train_units / (units.train_units + units.holdout_units) * units.holdout_units) AS lambda_
  FROM number_differences(synthetic := holdout, train := train) AS found
  CROSS JOIN split_units(synthetic := synthetic, train := train, holdout := holdout) AS units
  WHERE found.side = 'synthetic'
),
-- Numbers may be the same but have more digits; if half of them are outside of the range, they are different.
elsewhere AS (
  SELECT found.position, found.kolmogorov AS distance
  FROM number_differences(synthetic := synthetic, train := train) AS found
  WHERE $synthetic IS NOT NULL AND found.side = 'synthetic'

  UNION ALL

  SELECT CAST(NULL AS BIGINT) AS position, CAST(NULL AS DOUBLE) AS distance
  WHERE $synthetic IS NULL
),
-- Values of which fewer than five are expected in one of the tables count as one.
cells AS (
  SELECT
    found.position,
    CAST(sum(found.train) AS DOUBLE) AS train,
    CAST(sum(found.holdout) AS DOUBLE) AS holdout
  FROM split_values(synthetic := synthetic, train := train, holdout := holdout) AS found
  CROSS JOIN split_units(synthetic := synthetic, train := train, holdout := holdout) AS units
  WHERE found.kind = 'category' AND found.train + found.holdout > 0
    AND (found.train + found.holdout) * least(units.train, units.holdout) < 5 * (units.train + units.holdout)
  GROUP BY found.position

  UNION ALL

  SELECT found.position, CAST(found.train AS DOUBLE) AS train, CAST(found.holdout AS DOUBLE) AS holdout
  FROM split_values(synthetic := synthetic, train := train, holdout := holdout) AS found
  CROSS JOIN split_units(synthetic := synthetic, train := train, holdout := holdout) AS units
  WHERE found.kind = 'category'
    AND (found.train + found.holdout) * least(units.train, units.holdout) >= 5 * (units.train + units.holdout)
),
-- Pearson's sum of squares over both tables; the rows of one person count as one observation.
squares AS (
  SELECT
    cells.position,
    CAST(count(*) - 1 AS DOUBLE) AS freedom,
    sum(
      (cells.train * units.holdout - cells.holdout * units.train) / ((cells.train + cells.holdout) * units.train)
      * (cells.train * units.holdout - cells.holdout * units.train) / units.holdout
    ) * max((units.train_units + units.holdout_units) / (units.train + units.holdout)) AS total
  FROM cells
  CROSS JOIN split_units(synthetic := synthetic, train := train, holdout := holdout) AS units
  GROUP BY cells.position
)
SELECT
  numbers.position,
  numbers.statistic,
  -- Kolmogorov's distribution, by the series that converges for the argument.
  CASE
    WHEN numbers.lambda_ < 0.2 THEN 1.0
    WHEN numbers.lambda_ < 1 THEN
      1 - 2.5066282746310002 / numbers.lambda_ * (
        exp(-1.2337005501361697 / (numbers.lambda_ * numbers.lambda_))
        + exp(-11.103304951225528 / (numbers.lambda_ * numbers.lambda_))
      )
    ELSE
      2 * (
        exp(-2 * numbers.lambda_ * numbers.lambda_) - exp(-8 * numbers.lambda_ * numbers.lambda_)
        + exp(-18 * numbers.lambda_ * numbers.lambda_)
      )
  END AS p_value,
  shares.unseen,
  shares.expected_unseen,
  shares.invented,
  coalesce(elsewhere.distance, 0.0) AS elsewhere
FROM numbers
JOIN shares ON shares.position = numbers.position
LEFT JOIN elsewhere ON elsewhere.position = numbers.position

UNION ALL

SELECT
  found.position,
  found.distance AS statistic,
  -- The cube root of a chi-squared variable is nearly normal (Wilson and Hilferty).
  CASE
    WHEN squares.freedom > 0 THEN
      0.5 * erfc(
        (power(squares.total / squares.freedom, 1.0 / 3) - (1 - 2 / (9 * squares.freedom)))
        / sqrt(2 / (9 * squares.freedom)) * 0.7071067811865476
      )
    ELSE 1.0
  END AS p_value,
  shares.unseen,
  shares.expected_unseen,
  shares.invented,
  1.0 AS elsewhere
FROM category_differences(synthetic := holdout, train := train) AS found
JOIN shares ON shares.position = found.position
LEFT JOIN squares ON squares.position = found.position
