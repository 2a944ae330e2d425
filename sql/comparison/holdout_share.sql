/*
summary = "The share of synthetic records whose closest real record is in train rather than in the holdout, with its interval."
source = "Platzer and Reutterer, Frontiers in Big Data 4 (2021); interval: Wilson, JASA 22 (1927)."
options = ["distance", "unit.unit", "unit.shared_units"]
units = ["synthetic", "train", "holdout"]

[parameters]
synthetic = { type = "relation", doc = "the synthetic table" }
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
holdout = { type = "relation", doc = "real rows that it never saw" }

[columns]
closer = "BIGINT, synthetic records closer to train than to holdout"
further = "BIGINT, synthetic records closer to holdout"
equal = "BIGINT, synthetic records equally close to both"
n = "BIGINT, synthetic records"
share = "DOUBLE, (closer + equal / 2) / n"
expected = "DOUBLE, the share where nothing leaks: train rows / (train + holdout rows)"
lower = "DOUBLE, lower end of the 95 % Wilson interval of share; where a unit is named, synthetic persons are its independent draws, not rows"
upper = "DOUBLE, upper end"
p_value = "DOUBLE, one-sided: the chance of so large a share or a larger one where nothing leaks (score test)"
*/
WITH compared_to AS (
  -- Twice what the record counts: 2 closer to train, 1 equally close, 0 closer to the holdout.
  SELECT
    to_train.record,
    CASE WHEN to_train.distance < to_holdout.distance THEN 2 WHEN to_train.distance = to_holdout.distance THEN 1 ELSE 0 END AS points
  FROM nearest(queries := synthetic, reference := train, train := train, k := 1) AS to_train
  JOIN nearest(queries := synthetic, reference := holdout, train := train, k := 1) AS to_holdout
    ON to_holdout.record = to_train.record
),
counts AS (
  SELECT
    count(*) FILTER (WHERE points = 2) AS closer,
    count(*) FILTER (WHERE points = 0) AS further,
    count(*) FILTER (WHERE points = 1) AS equal,
    count(*) AS n
  FROM compared_to
),
sizes AS (
  SELECT
    (SELECT count(*) FROM encoded(train)) AS train_rows,
    (SELECT count(*) FROM encoded(holdout)) AS holdout_rows
  WHERE $unit IS NULL

  UNION ALL

  SELECT
    count(CASE WHEN side = 'train' THEN 1 END) AS train_rows,
    count(CASE WHEN side = 'holdout' THEN 1 END) AS holdout_rows
  FROM persons(train := train, holdout := holdout)
  WHERE $unit IS NOT NULL
),
of_persons AS (
  SELECT owners.person, count(*) AS n, sum(compared_to.points) AS points
  FROM compared_to
  JOIN owners(synthetic) AS owners ON owners.record = compared_to.record
  WHERE $unit IS NOT NULL
  GROUP BY owners.person
),
-- The variance of a share of clusters (its linearization), from whole numbers; as many independent rows would have it.
spread AS (
  SELECT
    count(*) AS persons,
    sum(
      (CAST(counts.n AS HUGEINT) * of_persons.points - CAST(2 * counts.closer + counts.equal AS HUGEINT) * of_persons.n)
      * (CAST(counts.n AS HUGEINT) * of_persons.points - CAST(2 * counts.closer + counts.equal AS HUGEINT) * of_persons.n)
    ) AS squares
  FROM of_persons
  CROSS JOIN counts
  WHERE $unit IS NOT NULL
),
draws AS (
  SELECT CAST(n AS DOUBLE) AS draws
  FROM counts
  WHERE $unit IS NULL

  UNION ALL

  SELECT
    CASE
      WHEN spread.persons < 2 THEN NULL
      WHEN counts.closer = counts.n OR counts.further = counts.n THEN CAST(spread.persons AS DOUBLE)
      WHEN spread.squares = 0 THEN CAST(counts.n AS DOUBLE)
      ELSE least(
        CAST(counts.n AS DOUBLE),
        (2.0 * counts.closer + counts.equal) * (2.0 * counts.further + counts.equal) * (spread.persons - 1)
        / spread.persons * (CAST(counts.n AS DOUBLE) * counts.n / CAST(spread.squares AS DOUBLE))
      )
    END AS draws
  FROM spread
  CROSS JOIN counts
  WHERE $unit IS NOT NULL
),
shares AS (
  SELECT
    counts.closer,
    counts.further,
    counts.equal,
    counts.n,
    (counts.closer + 0.5 * counts.equal) / nullif(counts.n, 0) AS share,
    draws.draws,
    CAST(sizes.train_rows AS DOUBLE) / (sizes.train_rows + sizes.holdout_rows) AS expected
  FROM counts
  CROSS JOIN sizes
  CROSS JOIN draws
),
tested AS (
  SELECT *, (share - expected) / sqrt(2 * expected * (1 - expected) / nullif(draws, 0)) AS x
  FROM shares
)
SELECT
  closer,
  further,
  equal,
  n,
  share,
  expected,
  wilson(share, draws, -1) AS lower,
  wilson(share, draws, 1) AS upper,
  0.5 * erfc(x) AS p_value
FROM tested
