/*
summary = "The same by GROUP BY only. Exchanges run in Python: their variance takes their place."
options = ["attack.width", "attack.combinations", "seed"]
part = true
run.materialized = true
run.warning = "p_value of within is the normal one."
run.stands_in = ["no kernel"]
tables = ["synthetic"]

[parameters]
real = { type = "relation", doc = "as in within" }
*/
WITH halves AS (
  SELECT * FROM within_halves(synthetic := synthetic, "real" := real)
),
cells AS (
  SELECT
    CASE halves.half WHEN 1 THEN 1 ELSE 0 END AS real,
    -- One number for each row: those of the second half after the others.
    CASE halves.half WHEN 2 THEN -1 - found.record ELSE found.record END AS record,
    found.position,
    found.code
  FROM unique_cells(synthetic := synthetic, train := real) AS found
  JOIN halves ON halves.record = found.record AND (halves.half = 0) = (found.real = 0)
),
all_keys AS (
  SELECT * FROM unique_keys(cells := cells)
),
held AS (
  SELECT
    all_keys.first, all_keys.second, all_keys.third, all_keys.fourth, all_keys.one, all_keys.two, all_keys.three, all_keys.four,
    min(owners.person) AS person
  FROM all_keys
  JOIN halves AS owners ON owners.half = 1 AND owners.record = all_keys.record
  WHERE all_keys.real = 1
  GROUP BY
    all_keys.first, all_keys.second, all_keys.third, all_keys.fourth, all_keys.one, all_keys.two, all_keys.three, all_keys.four
  HAVING min(owners.person) = max(owners.person)
),
hits AS (
  SELECT
    held.first, held.second, held.third, held.fourth, held.one, held.two, held.three, held.four, held.person,
    all_keys.record,
    CASE WHEN all_keys.record < 0 THEN 0 ELSE 1 END AS fresh
  FROM held
  JOIN all_keys
    ON all_keys.first = held.first AND all_keys.second = held.second
    AND all_keys.third = held.third AND all_keys.fourth = held.fourth
    AND all_keys.one = held.one AND all_keys.two = held.two AND all_keys.three = held.three AND all_keys.four = held.four
  WHERE all_keys.real = 0
),
counted AS (
  SELECT
    first, second, third, fourth, one, two, three, four, person,
    count(*) AS records,
    sum(fresh) AS fresh,
    min(record) AS least,
    max(record) AS most
  FROM hits
  GROUP BY first, second, third, fourth, one, two, three, four, person
),
-- A unique of n rows counts after an exchange if all are on one side: half of the time as often as with each row more.
-- That is a sum over its rows, which is all of it for one or two, and a rest that is not correlated with such sums.
weights AS (
  SELECT halves.pair, sum(CASE hits.fresh WHEN 1 THEN 1 ELSE -1 END * power(CAST(2 AS DOUBLE), 1 - counted.records)) AS weight
  FROM hits
  JOIN counted
    ON counted.first = hits.first AND counted.second = hits.second
    AND counted.third = hits.third AND counted.fourth = hits.fourth
    AND counted.one = hits.one AND counted.two = hits.two AND counted.three = hits.three AND counted.four = hits.four
  JOIN halves
    ON halves.record = CASE WHEN hits.record < 0 THEN -1 - hits.record ELSE hits.record END
    AND halves.half = 2 - 2 * hits.fresh
  GROUP BY halves.pair
),
-- Uniques of the same rows are correlated; those with the same first and last row are taken to be of the same rows.
rests AS (
  SELECT records, count(*) AS uniques
  FROM counted
  WHERE records > 2
  GROUP BY records, least, most
),
variance AS (
  SELECT
    (SELECT coalesce(sum(weight * weight), 0.0) FROM weights)
    + (
      SELECT coalesce(
        sum(
          CAST(uniques AS DOUBLE) * uniques
          * (power(CAST(2 AS DOUBLE), 1 - records) - records * power(CAST(4 AS DOUBLE), 1 - records))
        ),
        0.0
      )
      FROM rests
    ) AS total
),
sums AS (
  SELECT
    coalesce(sum(CASE WHEN fresh > 0 THEN 1 ELSE 0 END), 0) AS replicated,
    coalesce(sum(CASE WHEN fresh < records THEN 1 ELSE 0 END), 0) AS control
  FROM counted
),
of_people AS (
  SELECT
    everybody.person,
    coalesce(sum(CASE WHEN counted.fresh > 0 THEN 1 ELSE 0 END - CASE WHEN counted.fresh < counted.records THEN 1 ELSE 0 END), 0)
      AS difference
  FROM (SELECT DISTINCT person FROM halves WHERE half = 1) AS everybody
  LEFT JOIN counted ON counted.person = everybody.person
  GROUP BY everybody.person
),
people AS (
  SELECT CAST(difference AS BIGINT) AS difference, count(*) AS people
  FROM of_people
  GROUP BY difference

  UNION ALL

  SELECT CAST(0 AS BIGINT) AS difference, CAST(0 AS BIGINT) AS people
)
SELECT
  CAST(sums.replicated AS BIGINT) AS replicated,
  CAST(sums.control AS BIGINT) AS control,
  CASE
    WHEN variance.total > 0 THEN (CAST(sums.replicated AS DOUBLE) - sums.control) / sqrt(variance.total)
    ELSE 0.0
  END AS z,
  CAST(NULL AS BIGINT) AS above,
  CAST(NULL AS BIGINT) AS exchanges,
  people.difference,
  people.people
FROM people
CROSS JOIN sums
CROSS JOIN variance
