/*
summary = "Discernibility of a table, computed from the sizes of its equivalence classes."
source = "Discernibility metric: Bayardo and Agrawal, ICDE 2005; c_avg: LeFevre et al., ICDE 2006."
columns_like = "discernibility"
number = "discernibility"

[parameters]
classes = { type = "relation", doc = "a table with a row per class" }
size = { type = "name", default = "", doc = "its column of class sizes; size or count where not given" }
k = { type = "integer", optional = true, minimum = 1, doc = "classes below k are suppressed" }
suppressed = { type = "integer", default = 0, minimum = 0, doc = "rows that were taken out of the table before" }
*/
WITH given AS (
  SELECT CAST(each(size, own_value(this_column)) AS VARCHAR) AS written
  FROM classes
),
numbers AS (
  -- Whatever type the column has: its text is a whole number, or it is none.
  SELECT written, TRY_CAST(written AS DECIMAL(38, 18)) AS size
  FROM given
),
sizes AS (
  SELECT
    CASE
      WHEN size >= 0 AND size = floor(size) AND size <= 9223372036854775807 THEN CAST(size AS BIGINT)
      ELSE CAST(error(
        'OptionError: a class of ' || label(classes) || ' has size ' || coalesce(written, 'NULL')
        || '; a class has whole rows, and no fewer than none. Leave such classes out.'
      ) AS BIGINT)
    END AS size
  FROM numbers
),
-- Who counts the cells of a table has some that are empty.
present AS (
  SELECT size FROM sizes WHERE size > 0
)
SELECT *
FROM class_totals(classes := present, k := $k, suppressed := $suppressed)
