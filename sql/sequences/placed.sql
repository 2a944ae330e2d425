/*
summary = "The rows of each person in order: their values as encoded for distances, and as one text that is the same only for equal values."
part = true
tables = ["relation"]

[parameters]
relation = { doc = "a table with several rows per person" }
*/
-- Ties in time are broken by all columns. Length prefixes make the texts of different rows, and of different runs,
-- distinct.
WITH given AS (
  SELECT
    this_record AS record,
    each(sequence, this_asked := raw_value(this_column)),
    each(compared, this_range := encoded_value(this_column)),
    each(compared, this_spread := key_value(this_column))
  FROM relation
)
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
  count(*) OVER (PARTITION BY owners.person) AS rows_of_person,
  each(compared, this_column := given.this_range),
  each(compared,
    this_joined := coalesce(
      CAST(length(CAST(given.this_spread AS VARCHAR)) AS VARCHAR) || ':' || CAST(given.this_spread AS VARCHAR), '-'
    )
  )
FROM given
JOIN owners(relation) AS owners ON owners.record = given.record
WHERE every(sequence, given.this_asked IS NOT NULL)
