/*
summary = "One row for each run of consecutive rows of a person with a given length, as one text of all compared columns."
part = true
run.materialized = true
tables = ["relation"]

[parameters]
relation = { doc = "a table with several rows per person" }
length = { type = "integer", own = true, default = 3, doc = "the number of rows in a run" }
*/
WITH rows_in_order AS (
  SELECT person, record, place, rows_of_person, concat_ws('|', each(compared, this_joined)) AS values_of_row
  FROM placed(relation)
),
ends AS (
  SELECT
    person,
    record,
    place,
    rows_of_person,
    concat_ws(
      '|', each(numbers(1, $length), lead(values_of_row, this_value - 1) OVER (PARTITION BY person ORDER BY place))
    ) AS piece
  FROM rows_in_order
)
SELECT person, record, place, piece
FROM ends
WHERE place + $length - 1 <= rows_of_person
