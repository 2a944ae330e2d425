/*
summary = "One row: the number of children, of children without a key, and of children whose parent does not exist."
part = true

[parameters]
parents = { type = "relation", doc = "a table with a row for each parent" }
children = { type = "relation", doc = "a table with any number of rows for each" }
key = { type = "name", own = true, doc = "as in flatten" }

[columns]
children = "BIGINT"
keyless = "BIGINT, children whose key is missing"
orphans = "BIGINT, children whose key no parent has"
repeated = "BIGINT, keys that several parents share, and with them the children"
*/
WITH people AS (
  SELECT each(link, this_joined := key_value(this_column)), count(*) AS parents
  FROM parents
  GROUP BY each(link, key_value(this_column))
),
known AS (
  SELECT each(link, this_joined), parents, 1 AS is_there
  FROM people
  WHERE every(link, this_joined IS NOT NULL)
),
given AS (
  SELECT each(link, this_joined := key_value(this_column))
  FROM children
),
counted AS (
  SELECT
    count(*) AS children,
    count(CASE WHEN NOT every(link, given.this_joined IS NOT NULL) THEN 1 END) AS keyless,
    count(CASE WHEN every(link, given.this_joined IS NOT NULL) AND known.is_there IS NULL THEN 1 END) AS orphans
  FROM given
  LEFT JOIN known ON every(link, known.this_joined = given.this_joined)
)
SELECT counted.children, counted.keyless, counted.orphans, shared.repeated
FROM counted
CROSS JOIN (SELECT count(*) AS repeated FROM known WHERE parents > 1) AS shared
