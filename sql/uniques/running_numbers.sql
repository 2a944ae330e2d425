/*
summary = "The columns that number the rows of synthetic: whole numbers, nearly all different, that fill their range."
part = true
run.few = true
reads.common = true
tables = ["synthetic", "train"]

[columns]
column_name = "VARCHAR"
*/
-- Of at least 20 values in synthetic and in train 99 % differ, and those in synthetic leave at most a tenth of their range
-- out. Letters before a number are ignored.
WITH given AS (
  SELECT * FROM distinct_values(synthetic := synthetic, train := train)
),
trimmed AS (
  SELECT position, fresh, value, ltrim(value, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_#:. ') AS digits
  FROM given
),
numbers AS (
  SELECT
    position, fresh, value,
    CASE WHEN regexp_matches(digits, '^[0-9]{1,15}([.]0+)?$') THEN CAST(digits AS DOUBLE) END AS number
  FROM trimmed
),
counted AS (
  SELECT
    position, fresh,
    count(*) AS records,
    count(number) AS numbers,
    count(DISTINCT value) AS kinds,
    count(DISTINCT number) AS different,
    max(number) - min(number) + 1 AS reach
  FROM numbers
  GROUP BY position, fresh
)
SELECT own.position, names.column_name
FROM counted AS own
JOIN (SELECT this_position AS position, this_name AS column_name FROM each_column(common)) AS names
  ON names.position = own.position
JOIN counted AS known ON known.position = own.position AND known.fresh = 0
WHERE own.fresh = 1
  AND own.records >= 20 AND own.numbers >= 0.99 * own.records AND own.different >= 0.99 * own.numbers
  AND own.reach <= 1.1 * own.different
  AND known.records >= 20 AND known.kinds >= 0.99 * known.records
