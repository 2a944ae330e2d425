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
  SELECT
    person,
    count(DISTINCT side) AS sides,
    min(CASE WHEN side = 'train' THEN record END) AS of_train,
    min(CASE WHEN side = 'holdout' THEN record END) AS of_holdout
  FROM real_owners
  GROUP BY person
),
numbered AS (
  SELECT of_train, of_holdout, row_number() OVER (ORDER BY of_train) AS place
  FROM sides
  WHERE sides > 1
),
shared AS (
  SELECT
    count(*) AS persons,
    max(CASE WHEN place = 1 THEN of_train END) AS of_train,
    max(CASE WHEN place = 1 THEN of_holdout END) AS of_holdout
  FROM numbered
)
SELECT real_owners.side, real_owners.record, real_owners.person
FROM real_owners
CROSS JOIN shared
WHERE CASE
  WHEN shared.persons > 0 AND NOT $shared_units THEN CAST(error(
    'UnitError: ' || shared.persons || ' units stand both in ' || label(train) || ' and in the holdout, such as that '
    || 'of record ' || shared.of_train || ' and record ' || shared.of_holdout
    || '; split the tables so that each unit is in one of them '
    || '(the option shared_units counts those in both on either side)'
  ) AS BOOLEAN)
  ELSE true
END
