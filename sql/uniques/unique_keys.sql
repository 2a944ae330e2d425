/*
summary = "The key of every record in every combination of columns: the codes of its values."
options = ["attack.width", "attack.combinations"]
part = true

[parameters]
cells = { type = "relation", doc = "the rows of unique_cells" }
*/
WITH wide AS (
  SELECT sets.width, sets.first, sets.second, sets.third, sets.fourth, one.real, one.record, one.code AS one
  FROM unique_sets(cells := cells) AS sets
  JOIN cells AS one ON one.position = sets.first
),
of_two AS (
  SELECT wide.width, wide.first, wide.second, wide.third, wide.fourth, wide.real, wide.record, wide.one, two.code AS two
  FROM wide
  JOIN cells AS two ON two.position = wide.second AND two.real = wide.real AND two.record = wide.record
  WHERE $width >= 2
),
of_three AS (
  SELECT
    of_two.width, of_two.first, of_two.second, of_two.third, of_two.fourth, of_two.real, of_two.record, of_two.one, of_two.two,
    three.code AS three
  FROM of_two
  JOIN cells AS three ON three.position = of_two.third AND three.real = of_two.real AND three.record = of_two.record
  WHERE $width >= 3
)
SELECT width, first, second, third, fourth, real, record, one, 0 AS two, 0 AS three, 0 AS four
FROM wide
WHERE width = 1

UNION ALL

SELECT width, first, second, third, fourth, real, record, one, two, 0 AS three, 0 AS four
FROM of_two
WHERE width = 2 AND $width >= 2

UNION ALL

SELECT width, first, second, third, fourth, real, record, one, two, three, 0 AS four
FROM of_three
WHERE width = 3 AND $width >= 3

UNION ALL

SELECT
  of_three.width, of_three.first, of_three.second, of_three.third, of_three.fourth, of_three.real, of_three.record, of_three.one,
  of_three.two, of_three.three, four.code AS four
FROM of_three
JOIN cells AS four ON four.position = of_three.fourth AND four.real = of_three.real AND four.record = of_three.record
WHERE of_three.width = 4 AND $width >= 4
