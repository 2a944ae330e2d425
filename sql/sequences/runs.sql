/*
summary = "One row for each run of consecutive rows of a person: the values of each column in order, as one text."
options = ["distance.columns", "distance.exclude", "distance.numeric", "distance.categorical", "distance.weights", "unit.unit"]
gives.columns_of = "runs"
reads.compares = true
reads.units = ["data"]
part = true
order = ["record"]

[parameters]
data = { type = "relation", doc = "a table with several rows per person" }
order = { type = "name", own = true, doc = "the column that orders them" }
last = { type = "integer", default = 2, doc = "number of rows in a run after the first" }

[columns]
record = "BIGINT, the record of the first row; the name is extended if a column has it"
*/
WITH ends AS (
  SELECT
    person,
    record,
    place,
    rows_of_person,
    each(compared,
      this_column := concat_ws(
        '|', each(numbers(0, $last), lead(this_joined, this_value) OVER (PARTITION BY person ORDER BY place))
      )
    )
  FROM placed(data)
)
SELECT
  each(unit, this_column := person),
  each(compared, this_column),
  record
FROM ends
WHERE place + $last <= rows_of_person
