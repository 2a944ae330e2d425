/*
summary = "The rows of children, each joined with the columns of its parent."
part = true
gives.columns_of = "beside_parents"
order = ["record"]

[parameters]
parents = { type = "relation", doc = "a table with a row for each parent" }
children = { type = "relation", doc = "a table with any number of rows for each" }
key = { type = "name", own = true, doc = "as in flatten" }
*/
-- Of several parents with the same key the first is used, so that no child is duplicated.
WITH people AS (
  SELECT each(link, this_joined := key_value(this_column)), min(this_record) AS number
  FROM parents
  GROUP BY each(link, key_value(this_column))
),
given AS (
  SELECT this_record AS record, each(link, this_joined := key_value(this_column))
  FROM children
),
known AS (
  SELECT this_record AS record, each(of_parent, own_value(this_column))
  FROM parents
)
SELECT
  own.record,
  each(own, own.this_column),
  each(of_parent, this_named := known.this_column),
  CAST(known.record IS NOT NULL AS BOOLEAN) AS is_there
FROM own(children) AS own
JOIN given ON given.record = own.record
LEFT JOIN people ON every(link, people.this_joined = given.this_joined)
LEFT JOIN known ON known.record = people.number
