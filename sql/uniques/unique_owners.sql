/*
summary = "Everybody who is counted, with the record that stands for a person: where most of its replicated uniques stand first."
part = true

[parameters]
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
holdout = { type = "relation", optional = true, doc = "real rows that it never saw" }
replicated = { type = "relation", doc = "as replicated_keys gives them" }
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
  -- A person who stands on both sides may have its best row on the other one.
  coalesce(max(CASE WHEN best.position IS NOT NULL THEN owners.record END), owners.first_record) AS record
FROM real_persons(train := train, holdout := holdout) AS owners
LEFT JOIN best ON best.person = owners.person AND best.place = 1 AND best.position = owners.position
GROUP BY owners.side, owners.person, owners.first_record
