/*
summary = "Statistics of each compared column of train: the scales of numbers, and the most frequent categories."
source = "Population statistics; quantiles interpolate linearly."
options = ["distance"]
order = ["position"]
example = { train = "train", exclude = ["id"] }
tables = ["train"]

[columns]
column_name = "VARCHAR"
role = "VARCHAR, numeric, temporal, categorical or vector"
count = "BIGINT, non-missing values"
missing = "BIGINT, NULL and NaN"
distinct = "BIGINT, distinct values, without missing ones"
min = "DOUBLE, only for numbers and times (in seconds), like the following five"
max = "DOUBLE"
mean = "DOUBLE"
stddev = "DOUBLE, of the population"
median = "DOUBLE"
iqr = "DOUBLE, interquartile range"
most_frequent = "VARCHAR, only for categories; the first in text order among ties"
*/
WITH numbers AS (
  SELECT
    this_position AS position,
    this_name AS column_name,
    this_role AS role,
    count(this_column) AS "count",
    count(*) - count(this_column) AS missing,
    count(DISTINCT this_column) AS "distinct",
    min(this_column) / this_unit AS "min",
    max(this_column) / this_unit AS "max",
    any_value(moments.this_center) / this_unit AS mean,
    any_value(moments.this_spread) / this_unit AS stddev,
    median(this_column) / this_unit AS median,
    (quantile_cont(this_column, 0.75) - quantile_cont(this_column, 0.25)) / this_unit AS iqr,
    count(*) FILTER (WHERE isinf(this_column)) AS infinite
  FROM each_column(numeric, encoded(train)) AS columns
  CROSS JOIN moments(train) AS moments
),
frequencies AS (
  SELECT this_position AS position, this_column AS category, count(*) AS frequency
  FROM each_column(categorical, encoded(train))
  GROUP BY this_column
),
ranked AS (
  SELECT
    position,
    category,
    frequency,
    row_number() OVER (PARTITION BY position ORDER BY category IS NULL, frequency DESC, CAST(category AS VARCHAR) COLLATE C) AS place
  FROM frequencies
),
categories AS (
  SELECT
    position,
    sum(CASE WHEN category IS NOT NULL THEN frequency ELSE 0 END) AS "count",
    sum(CASE WHEN category IS NULL THEN frequency ELSE 0 END) AS missing,
    count(category) AS "distinct",
    max(CASE WHEN place = 1 THEN category END) AS most_frequent
  FROM ranked
  GROUP BY position
),
vectors AS (
  SELECT
    this_position AS position,
    this_name AS column_name,
    this_role AS role,
    count(this_column) AS "count",
    count(*) - count(this_column) AS missing,
    count(DISTINCT this_column) AS "distinct"
  FROM each_column(vector, encoded(train))
),
names AS (
  SELECT this_position AS position, this_name AS column_name, this_role AS role
  FROM each_column(categorical)
)
SELECT
  position,
  column_name,
  role,
  CASE WHEN infinite > 0 THEN infinite_value_error(column_name, infinite, label(train)) ELSE "count" END AS "count",
  missing,
  "distinct",
  "min",
  "max",
  mean,
  stddev,
  median,
  iqr,
  CAST(NULL AS VARCHAR) AS most_frequent
FROM numbers

UNION ALL

SELECT
  names.position,
  names.column_name,
  names.role,
  CAST(coalesce(categories."count", 0) AS BIGINT) AS "count",
  CAST(coalesce(categories.missing, 0) AS BIGINT) AS missing,
  coalesce(categories."distinct", 0) AS "distinct",
  CAST(NULL AS DOUBLE) AS "min",
  CAST(NULL AS DOUBLE) AS "max",
  CAST(NULL AS DOUBLE) AS mean,
  CAST(NULL AS DOUBLE) AS stddev,
  CAST(NULL AS DOUBLE) AS median,
  CAST(NULL AS DOUBLE) AS iqr,
  categories.most_frequent
FROM names
LEFT JOIN categories ON categories.position = names.position

UNION ALL

SELECT
  position,
  column_name,
  role,
  "count",
  missing,
  "distinct",
  CAST(NULL AS DOUBLE) AS "min",
  CAST(NULL AS DOUBLE) AS "max",
  CAST(NULL AS DOUBLE) AS mean,
  CAST(NULL AS DOUBLE) AS stddev,
  CAST(NULL AS DOUBLE) AS median,
  CAST(NULL AS DOUBLE) AS iqr,
  CAST(NULL AS VARCHAR) AS most_frequent
FROM vectors
WHERE $vector_columns IS NOT NULL
