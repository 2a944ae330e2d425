/*
summary = "Every record or person, with the record that represents a person: the first one of most of its replicated uniques."
part = true
tables = ["train", "holdout?"]

[parameters]
replicated = { type = "relation", doc = "the rows of replicated_keys" }
*/
WITH standing AS (
  SELECT person, position, count(*) AS times
  FROM (SELECT DISTINCT first, second, third, fourth, one, two, three, four, person, position FROM replicated) AS once
  GROUP BY person, position
),
best AS (
  SELECT person, position, row_number() OVER (PARTITION BY person ORDER BY times DESC, position) AS place
  FROM standing
)
SELECT
  owners.side,
  owners.person,
  owners.first_record,
  -- A person on both sides may have its best row on the other side.
  coalesce(max(CASE WHEN best.position IS NOT NULL THEN owners.record END), owners.first_record) AS record
FROM real_persons(train := train, holdout := holdout) AS owners
LEFT JOIN best ON best.person = owners.person AND best.place = 1 AND best.position = owners.position
GROUP BY owners.side, owners.person, owners.first_record
