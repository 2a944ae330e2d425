/*
summary = "Discernibility of a table, computed from the sizes of its equivalence classes."
source = "Discernibility metric: Bayardo and Agrawal, ICDE 2005; c_avg: LeFevre et al., ICDE 2006."
columns = "discernibility"
gives.number = "discernibility"
example = { classes = "classes", k = 2 }

[parameters]
classes = { type = "relation", doc = "a table with one row per class" }
size = { type = "name", default = "", doc = "its column of class sizes; by default size or count" }
k = { type = "integer", optional = true, minimum = 1, doc = "classes smaller than k are suppressed" }
suppressed = { type = "integer", default = 0, minimum = 0, doc = "number of rows that were removed from the table beforehand" }
*/
WITH given AS (
  SELECT CAST(each(size, own_value(this_column)) AS VARCHAR) AS written
  FROM classes
),
numbers AS (
  -- Whatever the type of the column, its text must be an integer.
  SELECT written, TRY_CAST(written AS DECIMAL(38, 18)) AS size
  FROM given
),
sizes AS (
  SELECT
    CASE
      WHEN size >= 0 AND size = floor(size) AND size <= 9223372036854775807 THEN CAST(size AS BIGINT)
      ELSE CAST(error(
        'OptionError: a class of ' || label(classes) || ' has size ' || coalesce(written, 'NULL')
        || '; it must be a whole number of at least 0. Leave such classes out.'
      ) AS BIGINT)
    END AS size
  FROM numbers
),
-- A table of cell counts may have empty cells.
present AS (
  SELECT size FROM sizes WHERE size > 0
)
SELECT *
FROM class_totals(classes := present, k := $k, suppressed := $suppressed)
