/*
summary = "The longest run of rows, with a minimum length, that each person of one table shares with a person of another."
part = true

[parameters]
queries = { type = "relation", doc = "the persons whose runs are searched" }
reference = { type = "relation", doc = "the persons with whom they may share runs" }
length = { type = "integer", own = true, default = 3, doc = "the minimum number of rows in a run" }
*/
-- Two persons who share a run share all pieces of it, at the same offset. Consecutive pieces form one run.
WITH matched AS (
  SELECT
    queries.person,
    queries.record,
    queries.place,
    reference.person AS other,
    reference.record AS other_record,
    queries.place - reference.place AS shift
  FROM pieces(queries, $length) AS queries
  JOIN pieces(reference, $length) AS reference ON reference.piece = queries.piece
),
followed AS (
  SELECT
    *,
    place - row_number() OVER (PARTITION BY person, other, shift ORDER BY place) AS run
  FROM matched
),
begun AS (
  SELECT *, min(place) OVER (PARTITION BY person, other, shift, run) AS first_place
  FROM followed
),
runs AS (
  SELECT
    person,
    other,
    count(*) + $length - 1 AS shared,
    max(CASE WHEN place = first_place THEN record END) AS record,
    max(CASE WHEN place = first_place THEN other_record END) AS other_record
  FROM begun
  GROUP BY person, other, shift, run
),
ranked AS (
  SELECT
    *,
    row_number() OVER (PARTITION BY person ORDER BY shared DESC, other_record, record) AS rank
  FROM runs
)
SELECT person, shared, record, other, other_record
FROM ranked
WHERE rank = 1
