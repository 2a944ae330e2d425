/*
summary = "One row: how many different records synthetic and train have, and how many as many records of train as synthetic has would have."
part = true
run.few = true
tables = ["synthetic", "train", "holdout?"]

[columns]
synthetic = "BIGINT"
train = "BIGINT"
expected = "DOUBLE, of records drawn from train without replacement; all of train where synthetic has more"
*/
WITH repeated AS (
  SELECT members AS times, count(*) AS records
  FROM distinct_real(train := train, holdout := holdout)
  WHERE members > 0
  GROUP BY members
),
sizes AS (
  SELECT
    (SELECT count(*) FROM encoded(synthetic)) AS synthetic,
    CAST((SELECT sum(times * records) FROM repeated) AS BIGINT) AS train,
    CAST((SELECT sum(records) FROM repeated) AS BIGINT) AS different
),
tests AS (
  SELECT
    repeated.times AS test,
    sizes.train AS population,
    repeated.times AS successes,
    least(sizes.synthetic, sizes.train) AS draws,
    1 AS observed
  FROM repeated
  CROSS JOIN sizes
),
expected AS (
  SELECT max(sizes.different) * exact_sum(CAST(repeated.records AS DOUBLE) / sizes.different * found.tail) AS expected
  FROM repeated
  JOIN hypergeometric(tests := tests) AS found ON found.test = repeated.times
  CROSS JOIN sizes
)
SELECT
  (SELECT count(*) FROM distinct_records(relation := synthetic)) AS synthetic,
  coalesce(sizes.different, 0) AS train,
  coalesce(expected.expected, 0.0) AS expected
FROM sizes
CROSS JOIN expected
