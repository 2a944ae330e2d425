/*
summary = "The correlation of every two numbers in each table, over the records that have both."
part = true
few = true

[parameters]
synthetic = { type = "relation", doc = "the synthetic table" }
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
holdout = { type = "relation", optional = true, doc = "real rows that it never saw" }
*/
WITH numbers AS (
  SELECT 1 * synthetic + 2 * train + 3 * holdout AS side, record, this_position AS position, this_column AS value
  FROM each_column(numeric, together(synthetic, train, holdout))
  WHERE this_column IS NOT NULL
),
ranges AS (
  SELECT position, min(value) AS least, max(value) - min(value) AS whole
  FROM numbers
  GROUP BY position
),
-- Numbers are taken by their place between the least and the largest of all tables, about the mean place: what is far from 0
-- would leave few digits for the differences.
places AS (
  SELECT
    numbers.side,
    numbers.record,
    numbers.position,
    CASE WHEN ranges.whole > 0 THEN (numbers.value - ranges.least) / ranges.whole ELSE 0.0 END AS place
  FROM numbers
  JOIN ranges ON ranges.position = numbers.position
),
means AS (
  SELECT position, exact_mean(place) AS mean
  FROM places
  GROUP BY position
),
centered AS (
  SELECT places.side, places.record, places.position, places.place - means.mean AS x
  FROM places
  JOIN means ON means.position = places.position
),
found AS (
  SELECT one.side, one.position AS first, two.position AS second, correlation(one.x, two.x) AS correlation
  FROM centered AS one
  JOIN centered AS two ON two.side = one.side AND two.record = one.record AND two.position > one.position
  GROUP BY one.side, one.position, two.position
),
-- No pair is lost where no record has both.
pairs AS (
  SELECT one.position AS first, two.position AS second
  FROM names() AS one
  JOIN names() AS two ON two.position > one.position
  WHERE one.role <> 'categorical' AND two.role <> 'categorical'
)
SELECT
  pairs.first,
  pairs.second,
  max(CASE WHEN found.side = 1 THEN found.correlation END) AS synthetic,
  max(CASE WHEN found.side = 2 THEN found.correlation END) AS train,
  max(CASE WHEN found.side = 3 THEN found.correlation END) AS holdout
FROM pairs
LEFT JOIN found ON found.first = pairs.first AND found.second = pairs.second
GROUP BY pairs.first, pairs.second
