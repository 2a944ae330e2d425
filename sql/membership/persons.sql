/*
summary = "Whose each real record is, or the error that nobody is named in it, or that somebody stands in both tables."
part = true

[parameters]
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
holdout = { type = "relation", optional = true, doc = "real rows that it never saw" }
*/
WITH owners AS (
  SELECT 'train' AS side, record, person
  FROM units(train)

  UNION ALL

  SELECT 'holdout' AS side, record, person
  FROM units(holdout)
  WHERE $holdout IS NOT NULL
),
sides AS (
  SELECT person, count(DISTINCT side) AS sides
  FROM owners
  WHERE person IS NOT NULL
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
),
nameless AS (
  SELECT
    count(*) FILTER (WHERE side = 'train' AND person IS NULL) AS in_train,
    count(*) FILTER (WHERE side = 'holdout' AND person IS NULL) AS in_holdout
  FROM owners
)
SELECT
  owners.side,
  owners.record,
  owners.person
FROM owners
CROSS JOIN shared
CROSS JOIN nameless
WHERE CASE
  WHEN nameless.in_train + nameless.in_holdout > 0 THEN CAST(error(
    'UnitError: the unit is missing in ' || nameless.in_train || ' rows of ' || label(train)
    || CASE WHEN nameless.in_holdout > 0 THEN ' and ' || nameless.in_holdout || ' of the holdout' ELSE '' END
    || '; say whose they are, or leave them out'
  ) AS BOOLEAN)
  WHEN shared.persons > 0 AND NOT $shared_units THEN CAST(error(
    'UnitError: ' || shared.persons || ' units stand both in ' || label(train) || ' and in the holdout, such as '
    || shared.examples || '; a split by unit has each in one of them only '
    || '(shared_units := true counts them as they are, once on each side)'
  ) AS BOOLEAN)
  ELSE true
END
