/*
summary = "Each distinct value of each category that is compared: whose it is, its first record in each table, and how many records of synthetic, or of all releases, have it."
part = true
reads.compares = true
reads.unites = true
tables = ["synthetic", "train", "holdout?"]

[columns]
owner = "BIGINT, the person who alone has it; -1: several have it, -2: nobody has"
synthetic = "BIGINT, the first record of synthetic; with releases, numbered as in released_tables"
*/
WITH real_people AS (
  SELECT side, record, person
  FROM real_persons(train := train, holdout := holdout)
),
together AS (
  SELECT
    people.person,
    known.record AS of_train,
    CAST(NULL AS BIGINT) AS of_holdout,
    CAST(NULL AS BIGINT) AS synthetic,
    each(categorical, known.this_column)
  FROM encoded(train) AS known
  JOIN real_people AS people ON people.side = 'train' AND people.record = known.record

  UNION ALL

  SELECT
    people.person,
    CAST(NULL AS BIGINT) AS of_train,
    known.record AS of_holdout,
    CAST(NULL AS BIGINT) AS synthetic,
    each(categorical, known.this_column)
  FROM encoded(holdout) AS known
  JOIN real_people AS people ON people.side = 'holdout' AND people.record = known.record
  WHERE $holdout IS NOT NULL

  UNION ALL

  SELECT
    CAST(NULL AS BIGINT) AS person,
    CAST(NULL AS BIGINT) AS of_train,
    CAST(NULL AS BIGINT) AS of_holdout,
    record AS synthetic,
    each(categorical, this_column)
  FROM encoded(synthetic)
  WHERE $released IS NULL

  UNION ALL

  SELECT
    CAST(NULL AS BIGINT) AS person,
    CAST(NULL AS BIGINT) AS of_train,
    CAST(NULL AS BIGINT) AS of_holdout,
    found.record + this_place_of * 1099511627776 AS synthetic,
    each(categorical, found.this_column)
  FROM each_release
  CROSS JOIN encoded(relation := this_release) AS found
  WHERE $released IS NOT NULL
)
SELECT
  this_name AS column_name,
  CAST(this_column AS VARCHAR) AS value,
  CASE
    WHEN count(person) = 0 THEN -2
    WHEN min(person) = max(person) THEN min(person)
    ELSE -1
  END AS owner,
  min(of_train) AS of_train,
  min(of_holdout) AS of_holdout,
  min(synthetic) AS synthetic,
  count(synthetic) AS records
FROM each_column(categorical, together)
WHERE this_column IS NOT NULL AND this_weight > 0
GROUP BY this_column
