/*
summary = "The columns that hold keys of which the tables share none: codes, or whole numbers that repeat far less often than draws from their range."
part = true
run.few = true
reads.common = true
tables = ["synthetic", "train"]

[columns]
column_name = "VARCHAR"
*/
-- Of at least 20 values in synthetic and in train 99 % differ, and no value of synthetic is one of train. An address
-- (with an @) is no code: whose it is can be told from it. Numbers that rarely repeat by chance may be measurements.
WITH given AS (
  SELECT * FROM distinct_values(synthetic := synthetic, train := train)
),
numbers AS (
  SELECT
    *,
    CASE WHEN regexp_matches(value, '^[0-9]{1,15}([.]0+)?$') THEN CAST(value AS DOUBLE) END AS number,
    CASE
      WHEN role = 'categorical' AND regexp_matches(value, '^[A-Za-z0-9_:/.#-]{4,64}$') AND regexp_matches(value, '[0-9]')
        AND regexp_matches(value, '[A-Za-z]') THEN 1
      ELSE 0
    END AS coded
  FROM given
),
counted AS (
  SELECT
    position,
    fresh,
    count(*) AS records,
    count(DISTINCT value) AS kinds,
    sum(coded) AS coded,
    count(number) AS numbers,
    -- At least so many pairs would be equal if the numbers were drawn from their range.
    0.5 * count(number) * (count(number) - 1) / (max(number) - min(number) + 1) AS pairs
  FROM numbers
  GROUP BY position, fresh
),
shared AS (
  SELECT position
  FROM (SELECT position, value FROM given GROUP BY position, value HAVING min(fresh) < max(fresh)) AS both_have
  GROUP BY position
)
SELECT own.position, names.column_name
FROM counted AS own
JOIN (SELECT this_position AS position, this_name AS column_name FROM each_column(common)) AS names
  ON names.position = own.position
JOIN counted AS known ON known.position = own.position AND known.fresh = 0
LEFT JOIN shared ON shared.position = own.position
WHERE own.fresh = 1 AND shared.position IS NULL
  AND own.records >= 20 AND own.kinds >= 0.99 * own.records
  AND known.records >= 20 AND known.kinds >= 0.99 * known.records
  AND (
    (own.coded >= 0.99 * own.records AND known.coded >= 0.99 * known.records)
    OR (
      own.numbers = own.records AND own.pairs >= 10 AND own.records - own.kinds <= 0.1 * own.pairs
      AND known.numbers = known.records AND known.pairs >= 10 AND known.records - known.kinds <= 0.1 * known.pairs
    )
  )
