/*
summary = "The combinations of columns to check: all, or those whose columns have the most distinct values."
options = ["attack.width", "attack.combinations"]
part = true
run.few = true

[parameters]
cells = { type = "relation", doc = "the rows of unique_cells" }
*/
WITH held AS (
  SELECT position, CAST(count(DISTINCT code) AS HUGEINT) AS size
  FROM cells
  WHERE real = 1
  GROUP BY position
),
pairs AS (
  SELECT one.position AS first, two.position AS second, one.size * two.size AS size
  FROM held AS one
  JOIN held AS two ON two.position > one.position
  WHERE $width >= 2
),
triples AS (
  SELECT pairs.first, pairs.second, three.position AS third, pairs.size * three.size AS size
  FROM pairs
  JOIN held AS three ON three.position > pairs.second
  WHERE $width >= 3
),
all_sets AS (
  SELECT 1 AS width, position AS first, -1 AS second, -1 AS third, -1 AS fourth, size
  FROM held

  UNION ALL

  SELECT 2 AS width, first, second, -1 AS third, -1 AS fourth, size
  FROM pairs
  WHERE $width >= 2

  UNION ALL

  SELECT 3 AS width, first, second, third, -1 AS fourth, size
  FROM triples
  WHERE $width >= 3

  UNION ALL

  SELECT 4 AS width, triples.first, triples.second, triples.third, four.position AS fourth, triples.size * four.size AS size
  FROM triples
  JOIN held AS four ON four.position > triples.third
  WHERE $width >= 4
),
placed AS (
  SELECT *, row_number() OVER (ORDER BY size DESC, first, second, third, fourth) AS place
  FROM all_sets
)
SELECT width, first, second, third, fourth
FROM placed
WHERE place <= $combinations
