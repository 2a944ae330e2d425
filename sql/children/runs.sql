/*
summary = "A row for each run of consecutive rows of a person: the values of each column in it, one after the other, as one text."
options = ["distance.columns", "distance.exclude", "distance.numeric", "distance.categorical", "distance.weights", "unit.unit"]
columns_of = "runs"
compares = true
units = ["data"]
part = true
order = ["record"]

[parameters]
data = { type = "relation", doc = "a table with several rows of each person" }
order = { type = "name", own = true, doc = "the column that orders them" }
last = { type = "integer", default = 2, doc = "rows of a run but the first" }

[columns]
record = "BIGINT, the record of the first row, whose name is completed where a column is called so"
*/
-- Of equal times all columns decide. The length of a text before it keeps any other run from looking alike.
WITH given AS (
  SELECT
    this_record AS record,
    each(sequence, this_asked := own_value(this_column)),
    each(compared, this_range := encoded_value(this_column)),
    each(compared, this_spread := key_value(this_column))
  FROM data
),
placed AS (
  SELECT
    owners.person,
    given.record,
    row_number() OVER (
      PARTITION BY owners.person
      ORDER BY
        each(sequence, given.this_asked),
        each(numeric, given.this_range) NULLS LAST,
        each(categorical, CAST(given.this_range AS VARCHAR) COLLATE C) NULLS LAST,
        given.record
    ) AS place,
    each(compared,
      this_joined := coalesce(
        CAST(length(CAST(given.this_spread AS VARCHAR)) AS VARCHAR) || ':' || CAST(given.this_spread AS VARCHAR), '-'
      )
    )
  FROM given
  JOIN owners(data) AS owners ON owners.record = given.record
  WHERE every(sequence, given.this_asked IS NOT NULL)
),
runs AS (
  SELECT
    person,
    record,
    lead(record, $last) OVER (PARTITION BY person ORDER BY place) AS last_record,
    each(compared,
      this_column := concat_ws(
        '|', each(numbers(0, $last), lead(this_joined, this_value) OVER (PARTITION BY person ORDER BY place))
      )
    )
  FROM placed
)
SELECT
  each(unit, this_column := person),
  each(compared, this_column),
  record
FROM runs
WHERE last_record IS NOT NULL
