/*
summary = "The keys that only one person has and that occur in synthetic, as plain SQL, for engines without the kernel."
options = ["attack.width", "attack.combinations"]
part = true
run.materialized = true
tables = ["synthetic", "train", "holdout?"]
*/
WITH all_keys AS (
  SELECT *
  FROM unique_keys(cells := unique_cells(synthetic := synthetic, train := train, holdout := holdout))
),
held AS (
  SELECT
    all_keys.first, all_keys.second, all_keys.third, all_keys.fourth, all_keys.one, all_keys.two, all_keys.three, all_keys.four,
    min(all_keys.width) AS width,
    min(owners.person) AS person,
    min(owners.position) AS position
  FROM all_keys
  JOIN real_persons(train := train, holdout := holdout) AS owners ON owners.position = all_keys.record
  WHERE all_keys.real = 1
  GROUP BY
    all_keys.first, all_keys.second, all_keys.third, all_keys.fourth, all_keys.one, all_keys.two, all_keys.three, all_keys.four
  HAVING min(owners.person) = max(owners.person)
)
SELECT
  held.width, held.first, held.second, held.third, held.fourth, held.one, held.two, held.three, held.four, held.person, held.position,
  all_keys.record AS synthetic
FROM held
JOIN all_keys
  ON all_keys.first = held.first AND all_keys.second = held.second
  AND all_keys.third = held.third AND all_keys.fourth = held.fourth
  AND all_keys.one = held.one AND all_keys.two = held.two AND all_keys.three = held.three AND all_keys.four = held.four
WHERE all_keys.real = 0
