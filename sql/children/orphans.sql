/*
summary = "One row: how many children there are, how many of them say nothing of their parent, and how many name one that is not there."
part = true

[parameters]
parents = { type = "relation", doc = "a table with a row for each parent" }
children = { type = "relation", doc = "a table with any number of rows for each" }
key = { type = "name", own = true, doc = "as in flatten" }

[columns]
children = "BIGINT"
keyless = "BIGINT, of which the key is missing"
orphans = "BIGINT, whose key no parent has"
repeated = "BIGINT, keys that several parents have, who then share their children"
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
