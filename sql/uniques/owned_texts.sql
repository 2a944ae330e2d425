/*
summary = "Each distinct value of each categorical column that the tables share: whose it is, and how many records have it."
part = true
tables = ["synthetic", "train", "holdout?"]

[columns]
owner = "BIGINT, twice the person who alone has it, plus 1 if that is one of the holdout; -1: several have it, -2: nobody has"
records = "BIGINT, those of synthetic"
people = "BIGINT, real records"
*/
WITH real_people AS (
  SELECT side, record, person
  FROM real_persons(train := train, holdout := holdout)
),
together AS (
  SELECT people.person, 0 AS of_holdout, each(common_categorical, known.this_column)
  FROM common_values(train) AS known
  JOIN real_people AS people ON people.side = 'train' AND people.record = known.record

  UNION ALL

  SELECT people.person, 1 AS of_holdout, each(common_categorical, known.this_column)
  FROM common_values(holdout) AS known
  JOIN real_people AS people ON people.side = 'holdout' AND people.record = known.record
  WHERE $holdout IS NOT NULL

  UNION ALL

  SELECT CAST(NULL AS BIGINT) AS person, 0 AS of_holdout, each(common_categorical, this_column)
  FROM common_values(synthetic)
)
-- Who is in both tables is two people here, as for equal values.
SELECT
  this_name AS column_name,
  CAST(this_column AS VARCHAR) AS value,
  CASE
    WHEN count(person) = 0 THEN -2
    WHEN min(2 * person + of_holdout) = max(2 * person + of_holdout) THEN min(2 * person + of_holdout)
    ELSE -1
  END AS owner,
  count(*) - count(person) AS records,
  count(person) AS people
FROM each_column(common_categorical, together)
WHERE this_column IS NOT NULL
GROUP BY this_column
