/*
summary = "Does synthetic repeat what makes people unique more often than other real people do? Evidence of a leak without a holdout."
source = "Uniques of one half of the real people, counted in synthetic rows and in as many rows of the other half; the rows of both are exchanged at random, in pairs."
options = ["attack.width", "attack.combinations", "distance.columns", "distance.exclude", "distance.numeric", "distance.categorical", "distance.weights", "distance.key", "unit.unit", "seed"]
reads.compares = true
reads.units = ["real"]
example = { synthetic = "synthetic", real = "train", exclude = ["id"], seed = 3 }
tables = ["synthetic"]

[parameters]
real = { type = "relation", doc = "real rows: train; or the holdout, to see whether the synthesizer saw it; in SQL on DuckDB 1, \"real\" in quotes" }

[columns]
people = "BIGINT, the people of one half of real, drawn by seed: records, or persons with unit"
replicated = "BIGINT, the sum over them of combinations of values that nobody else of their half has, and that synthetic rows have: as many rows, drawn by seed, as the other half has"
control = "BIGINT, the same in the rows of the other half: how often real people repeat each other"
ratio = "DOUBLE, replicated / control; infinite if only control is 0, NULL if both are"
z = "DOUBLE, (replicated - control) / its standard deviation when rows change sides at random; at most 0 is what tables give that were made without these people"
p_value = "DOUBLE, one-sided, from 999 exchanges; the normal approximation by z if no exchange gives as large a difference"
at_least = "BIGINT, at 95 %: at least this many of these people are repeated more often than real people repeat each other; assumes that a table made without them repeats rare values no more often than real people do"
listed = "BIGINT, the people among whom these are: those with the largest differences"
*/
WITH found AS (
  SELECT * FROM within_found(synthetic := synthetic, "real" := real)
),
sums AS (
  SELECT
    CAST(sum(people) AS BIGINT) AS people,
    max(replicated) AS replicated,
    max(control) AS control,
    max(z) AS z,
    max(above) AS above,
    max(exchanges) AS exchanges
  FROM found
),
-- Without a leak, a person with a difference is as likely to have it in either direction.
sizes AS (
  SELECT
    abs(difference) AS size,
    sum(CASE WHEN difference > 0 THEN people ELSE 0 END) AS more,
    sum(CASE WHEN difference < 0 THEN people ELSE 0 END) AS less
  FROM found
  WHERE difference <> 0
  GROUP BY abs(difference)
),
from_the_top AS (
  SELECT
    size,
    sum(more) OVER (ORDER BY size DESC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS more,
    sum(less) OVER (ORDER BY size DESC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS less
  FROM sizes
),
-- As in membership: of equally likely labels at most c * (1 + h) are by chance among those in front of h others, at 95 %.
bounds AS (
  SELECT
    more,
    CAST(floor(more - (1 + less) * (ln(CAST(20.0 AS DOUBLE)) / ln(CAST(1.95 AS DOUBLE)))) AS BIGINT) AS at_least
  FROM from_the_top
),
best AS (
  SELECT at_least, more, row_number() OVER (ORDER BY at_least DESC, more) AS place
  FROM bounds
  WHERE at_least > 0
)
SELECT
  sums.people,
  sums.replicated,
  sums.control,
  CASE
    WHEN sums.control > 0 THEN CAST(sums.replicated AS DOUBLE) / sums.control
    WHEN sums.replicated > 0 THEN CAST('Infinity' AS DOUBLE)
  END AS ratio,
  sums.z,
  CASE
    WHEN sums.above > 0 THEN CAST(sums.above + 1 AS DOUBLE) / (sums.exchanges + 1)
    WHEN sums.exchanges > 0 THEN least(CAST(1 AS DOUBLE) / (sums.exchanges + 1), 0.5 * erfc(sums.z * 0.7071067811865476))
    ELSE 0.5 * erfc(sums.z * 0.7071067811865476)
  END AS p_value,
  coalesce(best.at_least, 0) AS at_least,
  CAST(coalesce(best.more, 0) AS BIGINT) AS listed
FROM sums
LEFT JOIN best ON best.place = 1
WHERE (SELECT is_enough FROM enough_of_all(synthetic := synthetic, train := real))
  -- Reading them raises an error if one is missing.
  AND ($unit IS NULL OR (SELECT count(*) FROM owners(real)) > 0)
