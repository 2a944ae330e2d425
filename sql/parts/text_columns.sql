/*
summary = "For each column, how many distinct values it has, and how many of these have more letters than digits."
part = true
reads.compares = true
options = ["distance.columns", "distance.categorical"]
order = ["position"]

[parameters]
data = { type = "relation", doc = "a table whose compared columns are text" }

[columns]
column_name = "VARCHAR"
rows = "BIGINT"
distinct = "BIGINT, distinct values"
lettered = "BIGINT, those of them with more letters than digits; a letter is what is neither a digit nor a separator"
*/
WITH given AS (
  SELECT each(categorical, CAST(this_column AS VARCHAR))
  FROM raw(data)
),
counted AS (
  SELECT this_position AS position, this_name AS column_name, this_column AS value, count(*) AS records
  FROM each_column(categorical, given)
  GROUP BY this_column
)
SELECT
  position,
  column_name,
  CAST(sum(records) AS BIGINT) AS "rows",
  count(value) AS "distinct",
  count(
    CASE
      WHEN 2 * length(without_digits(without_separators(value))) > length(without_separators(value)) THEN 1
    END
  ) AS lettered
FROM counted
GROUP BY position, column_name
