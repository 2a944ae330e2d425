/*
summary = "How many people have each number of replicated uniques, of all columns and without each, by GROUP BY only."
part = true
reads.compares = true
run.stands_in = ["no kernel", "other databases"]
tables = ["synthetic", "train", "holdout?"]
*/
WITH replicated AS (
  SELECT *
  FROM replicated_keys(synthetic := synthetic, train := train, holdout := holdout)
),
once AS (
  SELECT DISTINCT width, first, second, third, fourth, one, two, three, four, person
  FROM replicated
),
names AS (
  SELECT this_position AS position, this_name AS name
  FROM each_column(compared)
),
totals AS (
  SELECT person, count(*) AS score
  FROM once
  GROUP BY person
),
-- How many of a person's combinations have the column.
held AS (
  SELECT once.person, names.position, count(*) AS score
  FROM once
  JOIN names
    ON once.first = names.position
    OR (once.width > 1 AND once.second = names.position)
    OR (once.width > 2 AND once.third = names.position)
    OR (once.width > 3 AND once.fourth = names.position)
  GROUP BY once.person, names.position
),
owners AS (
  SELECT side, person
  FROM unique_owners(train := train, holdout := holdout, replicated := replicated)
),
scores AS (
  SELECT CAST(NULL AS VARCHAR) AS column_name, -1 AS place, owners.side, coalesce(totals.score, 0) AS score
  FROM owners
  LEFT JOIN totals ON totals.person = owners.person

  UNION ALL

  SELECT
    names.name AS column_name,
    names.position AS place,
    owners.side,
    coalesce(totals.score, 0) - coalesce(held.score, 0) AS score
  FROM owners
  CROSS JOIN names
  LEFT JOIN totals ON totals.person = owners.person
  LEFT JOIN held ON held.person = owners.person AND held.position = names.position
)
SELECT
  column_name,
  CAST(place AS BIGINT) AS place,
  CAST(score AS BIGINT) AS score,
  sum(CASE WHEN side = 'train' THEN 1 ELSE 0 END) AS members,
  sum(CASE WHEN side = 'train' THEN 0 ELSE 1 END) AS non_members
FROM scores
GROUP BY column_name, place, score
