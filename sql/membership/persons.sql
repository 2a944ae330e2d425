/*
summary = "The unit of each real record, or an error if a unit occurs in both train and the holdout."
part = true
tables = ["train", "holdout?"]
*/
WITH real_owners AS (
  SELECT 'train' AS side, record, person
  FROM owners(train)

  UNION ALL

  SELECT 'holdout' AS side, record, person
  FROM owners(holdout)
  WHERE $holdout IS NOT NULL
),
sides AS (
  SELECT person, count(DISTINCT side) AS sides
  FROM real_owners
  GROUP BY person
),
numbered AS (
  SELECT CAST(person AS VARCHAR) AS person, row_number() OVER (ORDER BY person) AS place
  FROM sides
  WHERE sides > 1
),
shared AS (
  SELECT
    count(*) AS persons,
    max(CASE WHEN place = 1 THEN person END)
    || coalesce(', ' || max(CASE WHEN place = 2 THEN person END), '')
    || coalesce(', ' || max(CASE WHEN place = 3 THEN person END), '') AS examples
  FROM numbered
)
SELECT real_owners.side, real_owners.record, real_owners.person
FROM real_owners
CROSS JOIN shared
WHERE CASE
  WHEN shared.persons > 0 AND NOT $shared_units THEN CAST(error(
    'UnitError: ' || shared.persons || ' units stand both in ' || label(train) || ' and in the holdout, such as '
    || shared.examples || '; split the tables so that each unit is in one of them '
    || '(the option shared_units counts those in both on either side)'
  ) AS BOOLEAN)
  ELSE true
END
