/*
summary = "Which columns look like identifiers: their values differ from row to row, so that no copy equals its original."
source = "A category whose values in train are 99 % distinct and not shared by the holdout; an integer column whose values repeat far less often than random draws from its range."
options = ["distance"]
order = ["position"]
example = { synthetic = "synthetic", train = "train", holdout = "holdout", exclude = ["x"] }
tables = ["synthetic", "train", "holdout?"]

[columns]
column_name = "VARCHAR"
role = "VARCHAR, numeric, temporal or categorical"
count = "BIGINT, non-missing values in train"
distinct = "BIGINT, distinct values among them"
shared_synthetic = "DOUBLE, if nearly all of them are distinct: the share of values in synthetic that occur in train"
shared_holdout = "DOUBLE, the same for the holdout; NULL without one"
identifier = "BOOLEAN, whether the column looks like an identifier"
lettered = "DOUBLE, if nearly all of them are distinct categories: the share of those with more letters than digits, as names, addresses and notes have"
*/
WITH counted AS (
  SELECT
    this_position AS position,
    this_name AS column_name,
    this_role AS role,
    this_is_text AS is_text,
    count(this_column) AS "count",
    count(DISTINCT this_column) AS "distinct"
  FROM each_column(scalar, raw(train))
),
-- Keys differ from measurements: they are integers, from a limited range.
ranges AS (
  SELECT
    this_position AS position,
    (max(this_column) - min(this_column)) / this_unit + 1 AS reach,
    count(*) FILTER (WHERE this_column / this_unit <> floor(this_column / this_unit)) AS fractions
  FROM each_column(numeric, encoded(train))
),
-- Fewer than 20 values may all differ by chance. Times are measurements.
suspects AS (
  SELECT
    counted.position,
    -- A lower bound for the expected number of equal pairs, if the numbers are drawn from their range.
    0.5 * counted."count" * (counted."count" - 1) / ranges.reach AS pairs,
    counted."count" - counted."distinct" AS repeats
  FROM counted
  LEFT JOIN ranges ON ranges.position = counted.position
  WHERE counted."count" >= 20
    AND NOT counted.is_text
    AND counted."distinct" >= 0.99 * counted."count"
    AND (counted.role = 'categorical' OR counted.role = 'numeric' AND ranges.fractions = 0)
),
given AS (
  SELECT this_position AS position, CAST(this_column AS VARCHAR) AS value, 1 AS in_train, 0 AS in_synthetic, 0 AS in_holdout
  FROM each_column(scalar, encoded(train)) AS records
  JOIN suspects ON suspects.position = this_position

  UNION ALL

  SELECT this_position AS position, CAST(this_column AS VARCHAR) AS value, 0 AS in_train, 1 AS in_synthetic, 0 AS in_holdout
  FROM each_column(scalar, encoded(synthetic)) AS records
  JOIN suspects ON suspects.position = this_position

  UNION ALL

  SELECT this_position AS position, CAST(this_column AS VARCHAR) AS value, 0 AS in_train, 0 AS in_synthetic, 1 AS in_holdout
  FROM each_column(scalar, encoded(holdout)) AS records
  JOIN suspects ON suspects.position = this_position
  WHERE $holdout IS NOT NULL
),
found AS (
  SELECT position, value, max(in_train) AS known, sum(in_synthetic) AS synthetic, sum(in_holdout) AS holdout
  FROM given
  WHERE value IS NOT NULL
  GROUP BY position, value
),
shared AS (
  SELECT
    position,
    avg(
      CASE
        WHEN known = 0 THEN NULL
        WHEN 2 * length(without_digits(without_separators(value))) > length(without_separators(value)) THEN 1.0
        ELSE 0.0
      END
    ) AS lettered,
    CAST(sum(known * synthetic) AS DOUBLE) / nullif(sum(synthetic), 0) AS shared_synthetic,
    CAST(sum(known * holdout) AS DOUBLE) / nullif(sum(holdout), 0) AS shared_holdout
  FROM found
  GROUP BY position
)
SELECT
  counted.position,
  counted.column_name,
  counted.role,
  counted."count",
  counted."distinct",
  shared.shared_synthetic,
  shared.shared_holdout,
  CASE
    WHEN suspects.position IS NULL THEN false
    -- People of one population share names of places, even rare ones; they do not share identifiers.
    WHEN counted.role = 'categorical' THEN coalesce(shared.shared_holdout, 0.0) <= 0.01
    WHEN suspects.pairs >= 10 THEN suspects.repeats <= 0.1 * suspects.pairs
    -- Such a wide range is inconclusive; measurements are shared occasionally, and certainly by copies.
    ELSE suspects.repeats = 0 AND coalesce(shared.shared_holdout, 0.0) = 0 AND coalesce(shared.shared_synthetic, 0.0) = 0
  END AS identifier,
  CASE WHEN counted.role = 'categorical' THEN shared.lettered END AS lettered
FROM counted
LEFT JOIN suspects ON suspects.position = counted.position
LEFT JOIN shared ON shared.position = counted.position
