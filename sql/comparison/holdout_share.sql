/*
summary = "Is the closest record of a synthetic record more often in train than in the holdout, which it cannot know?"
source = "Platzer and Reutterer, Frontiers in Big Data 4 (2021); interval: Wilson, JASA 22 (1927)."
options = ["distance"]

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
lower = "DOUBLE, lower end of the 95 % Wilson interval of share"
upper = "DOUBLE, upper end"
p_value = "DOUBLE, one-sided: the chance of so large a share or a larger one where nothing leaks (score test)"
*/
WITH counts AS (
  SELECT
    count(*) FILTER (WHERE to_train.distance < to_holdout.distance) AS closer,
    count(*) FILTER (WHERE to_train.distance > to_holdout.distance) AS further,
    count(*) FILTER (WHERE to_train.distance = to_holdout.distance) AS equal,
    count(*) AS n
  FROM nearest(queries := synthetic, reference := train, train := train, k := 1) AS to_train
  JOIN nearest(queries := synthetic, reference := holdout, train := train, k := 1) AS to_holdout
    ON to_holdout.record = to_train.record
),
sizes AS (
  SELECT
    (SELECT count(*) FROM encoded(train)) AS train_rows,
    (SELECT count(*) FROM encoded(holdout)) AS holdout_rows
),
shares AS (
  SELECT
    counts.closer,
    counts.further,
    counts.equal,
    counts.n,
    (counts.closer + 0.5 * counts.equal) / nullif(counts.n, 0) AS share,
    CAST(sizes.train_rows AS DOUBLE) / (sizes.train_rows + sizes.holdout_rows) AS expected
  FROM counts
  CROSS JOIN sizes
),
tested AS (
  SELECT *, (share - expected) / sqrt(2 * expected * (1 - expected) / nullif(n, 0)) AS x
  FROM shares
)
SELECT
  closer,
  further,
  equal,
  n,
  share,
  expected,
  wilson(share, n, -1) AS lower,
  wilson(share, n, 1) AS upper,
  0.5 * erfc(x) AS p_value
FROM tested
