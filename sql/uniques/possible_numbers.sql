/*
summary = "The columns that may number the rows of synthetic or hold keys, as far as a thousand rows show: nearly all values are whole numbers or codes, and differ."
part = true
run.few = true
reads.common = true
tables = ["synthetic", "train"]

[columns]
column_name = "VARCHAR"
*/
-- Without record numbers, so that a file or a view is not read to its end.
WITH beginning AS MATERIALIZED (
  SELECT each(common, raw_value(this_column)) FROM synthetic LIMIT 1000
),
given AS (
  SELECT
    this_name AS column_name,
    this_role AS role,
    CAST(this_column AS VARCHAR) AS value,
    ltrim(
      CAST(this_column AS VARCHAR), 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_#:. '
    ) AS digits
  FROM each_column(common, beginning)
  WHERE this_column IS NOT NULL AND this_role <> 'temporal'
)
SELECT column_name
FROM given
GROUP BY column_name
HAVING count(*) >= 20
  AND count(
    CASE
      WHEN regexp_matches(digits, '^[0-9]{1,15}([.]0+)?$')
        OR role = 'categorical' AND regexp_matches(value, '^[A-Za-z0-9_:/.#-]{4,64}$')
          AND regexp_matches(value, '[0-9]') AND regexp_matches(value, '[A-Za-z]') THEN 1
    END
  ) >= 0.9 * count(*)
  AND count(DISTINCT value) >= 0.9 * count(*)
