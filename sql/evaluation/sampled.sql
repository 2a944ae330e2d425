/*
summary = "Records of a table drawn at random; with unit, all records of persons drawn at random."
options = ["seed", "unit.unit"]
gives.columns_of = "own"
reads.units = ["data"]
part = true
order = ["record"]

[parameters]
data = { type = "relation", doc = "the table" }
number = { type = "integer", default = 1, doc = "how many records, or persons, are drawn" }
tables = { type = "integer", default = 1, doc = "how many tables are drawn from" }
place = { type = "integer", default = 0, doc = "the place of this one among them, from 0: each is drawn from independently" }
*/
WITH given AS (
  SELECT this_record AS record, each(unit, this_joined := key_value(this_column)), each(own, own_value(this_column))
  FROM data
),
people AS (
  SELECT record, record AS first_record
  FROM given
  WHERE $unit IS NULL

  UNION ALL

  SELECT record, min(record) OVER (PARTITION BY each(unit, this_joined)) AS first_record
  FROM given
  WHERE $unit IS NOT NULL
),
placed AS (
  SELECT
    record,
    dense_rank() OVER (ORDER BY drawn($tables * first_record + $place, $seed), first_record) AS place
  FROM people
)
SELECT
  each(own, given.this_column),
  given.record
FROM given
JOIN placed ON placed.record = given.record AND placed.place <= $number
