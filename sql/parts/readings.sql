/*
summary = "For each text column, the number of values that can be cast to numbers and times, and the first record that cannot."
part = true
reads.compares = true
options = ["distance.columns", "distance.categorical"]
order = ["position"]

[parameters]
data = { type = "relation", doc = "a table whose compared columns are text" }

[columns]
column_name = "VARCHAR"
texts = "BIGINT, non-missing values"
whole_numbers = "BIGINT, integers of at most 18 digits among them"
numbers = "BIGINT, numbers among them, including integers"
dates = "BIGINT, dates without a time of day; NULL in PostgreSQL, which has no TRY_CAST to times"
moments = "BIGINT, dates and times"
times = "BIGINT, times of day"
zoned = "BIGINT, moments and times of day with an offset from UTC"
fine = "BIGINT, moments with nanoseconds"
no_number = "BIGINT, the first record whose text is not a number"
no_moment = "BIGINT"
no_time = "BIGINT"
*/
WITH given AS (
  SELECT record, each(categorical, CAST(this_column AS VARCHAR))
  FROM raw(data)
)
SELECT
  this_position AS position,
  this_name AS column_name,
  count(this_column) AS texts,
  count(CASE WHEN regexp_matches(this_column, '^\s*[-+]?[0-9]{1,18}\s*$') THEN 1 END) AS whole_numbers,
  count(TRY_CAST(this_column AS DOUBLE)) AS numbers,
  CASE
    WHEN $dialect <> 'postgres' THEN
      count(CASE WHEN CAST(TRY_CAST(this_column AS DATE) AS TIMESTAMP) = TRY_CAST(this_column AS TIMESTAMP) THEN 1 END)
  END AS dates,
  CASE WHEN $dialect <> 'postgres' THEN count(TRY_CAST(this_column AS TIMESTAMP)) END AS moments,
  CASE WHEN $dialect <> 'postgres' THEN count(TRY_CAST(this_column AS TIME)) END AS times,
  count(CASE WHEN regexp_matches(this_column, ':[0-9]{2}.*([Zz]|[+-][0-9]{2}(:?[0-9]{2})?)\s*$') THEN 1 END) AS zoned,
  count(CASE WHEN regexp_matches(this_column, ':[0-9]{2}\.[0-9]{6}[0-9]*[1-9]') THEN 1 END) AS fine,
  min(CASE WHEN this_column IS NOT NULL AND TRY_CAST(this_column AS DOUBLE) IS NULL THEN record END) AS no_number,
  CASE
    WHEN $dialect <> 'postgres' THEN
      min(CASE WHEN this_column IS NOT NULL AND TRY_CAST(this_column AS TIMESTAMP) IS NULL THEN record END)
  END AS no_moment,
  CASE
    WHEN $dialect <> 'postgres' THEN
      min(CASE WHEN this_column IS NOT NULL AND TRY_CAST(this_column AS TIME) IS NULL THEN record END)
  END AS no_time
FROM each_column(categorical, given)
