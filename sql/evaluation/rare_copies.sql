/*
summary = "One row: how many records of train are copied that are too rare to coincide, and how likely that is by chance."
part = true
run.few = true
tables = ["synthetic", "train", "holdout?"]

[columns]
copies = "BIGINT, records of train (with unit, persons) that a synthetic record equals and no other real one, with 3 bits more than any two real people have in common"
p_value = "DOUBLE, the probability that all of these pairs are of synthetic and train, rather than of two real people"
*/
-- Bits are those of agreement, -log2 of the share of real rows with a value, among all rows but the record and its
-- equals; a value that nobody else has counts as one that one other has.
WITH classes AS (
  SELECT first_record, alike, members, alike AS people, first_record AS person, each(compared, this_column)
  FROM distinct_real(train := train, holdout := holdout)
  WHERE $unit IS NULL

  UNION ALL

  SELECT groups.first_record, groups.alike, groups.members, owned.people, owned.person, each(compared, groups.this_column)
  FROM distinct_real(train := train, holdout := holdout) AS groups
  JOIN (
    SELECT first_record, count(*) AS people, min(first_of_person) AS person
    FROM alike_of_persons(train := train, holdout := holdout)
    GROUP BY first_record
  ) AS owned
    ON owned.first_record = groups.first_record
  WHERE $unit IS NOT NULL
),
-- Of equal records of train the first is the nearest.
copied AS (
  SELECT DISTINCT neighbor AS first_record
  FROM nearest(queries := synthetic, reference := train, train := train, k := 1)
  WHERE distance = 0
),
alone AS (
  SELECT classes.first_record
  FROM classes
  JOIN copied ON copied.first_record = classes.first_record
  WHERE classes.people = 1 AND classes.alike = classes.members
),
-- Nothing to compare with if nobody is copied alone.
pairs AS (
  SELECT
    classes.first_record,
    classes.alike,
    classes.person,
    CASE WHEN classes.people > 1 THEN 0 ELSE 1 END AS is_copy,
    each(compared, classes.this_column)
  FROM classes
  LEFT JOIN alone ON alone.first_record = classes.first_record
  CROSS JOIN (SELECT count(*) AS records FROM alone) AS found
  WHERE found.records > 0 AND (classes.people > 1 OR alone.first_record IS NOT NULL)
),
listed AS (
  SELECT
    first_record, alike, person, is_copy, this_position AS position, coalesce(this_column, 0.0) AS number, '' AS category,
    CASE WHEN this_column IS NULL THEN 1 ELSE 0 END AS missing
  FROM each_column(numeric, pairs)

  UNION ALL

  SELECT
    first_record, alike, person, is_copy, this_position AS position, 0.0 AS number, coalesce(this_column, '') AS category,
    CASE WHEN this_column IS NULL THEN 1 ELSE 0 END AS missing
  FROM each_column(categorical, pairs)
),
-- With types, also where there is no column of a kind.
cells AS (
  SELECT
    CAST(first_record AS BIGINT) AS first_record,
    CAST(alike AS BIGINT) AS alike,
    CAST(person AS BIGINT) AS person,
    CAST(is_copy AS BIGINT) AS is_copy,
    CAST(position AS BIGINT) AS position,
    CAST(number AS DOUBLE) AS number,
    CAST(category AS VARCHAR) AS category,
    CAST(missing AS BIGINT) AS missing
  FROM listed
),
counted AS (
  SELECT position, value AS number, '' AS category, 0 AS missing, records
  FROM counted_numbers(train)

  UNION ALL

  SELECT position, value AS number, '' AS category, 0 AS missing, records
  FROM counted_numbers(holdout)
  WHERE $holdout IS NOT NULL

  UNION ALL

  SELECT position, 0.0 AS number, coalesce(category, '') AS category, CASE WHEN category IS NULL THEN 1 ELSE 0 END AS missing, records
  FROM counted_categories(train)

  UNION ALL

  SELECT position, 0.0 AS number, coalesce(category, '') AS category, CASE WHEN category IS NULL THEN 1 ELSE 0 END AS missing, records
  FROM counted_categories(holdout)
  WHERE $holdout IS NOT NULL
),
held AS (
  SELECT position, number, category, missing, CAST(sum(records) AS DOUBLE) AS records
  FROM counted
  GROUP BY position, number, category, missing
),
sizes AS (
  SELECT
    CAST((SELECT count(*) FROM encoded(synthetic)) AS DOUBLE) AS synthetic,
    CAST((SELECT count(*) FROM encoded(train)) AS DOUBLE) AS train,
    CAST((SELECT count(*) FROM population(train := train, holdout := holdout)) AS DOUBLE) AS people
),
-- Missing numbers are not counted: they are the rest.
present AS (
  SELECT position, sum(records) AS records
  FROM held
  GROUP BY position
),
bits AS (
  SELECT
    cells.first_record,
    max(cells.person) AS person,
    max(cells.is_copy) AS is_copy,
    sum(
      ln(
        (sizes.people - cells.alike) / greatest(
          coalesce(held.records, sizes.people - coalesce(present.records, 0)) - cells.alike, 1
        )
      ) / 0.6931471805599453
    ) AS bits
  FROM cells
  CROSS JOIN sizes
  LEFT JOIN held
    ON held.position = cells.position AND held.number = cells.number AND CAST(held.category AS VARCHAR) = cells.category
    AND held.missing = cells.missing
  LEFT JOIN present ON present.position = cells.position
  WHERE sizes.people > cells.alike
  GROUP BY cells.first_record
),
rare AS (
  SELECT count(DISTINCT bits.person) AS copies
  FROM bits
  CROSS JOIN (SELECT max(CASE WHEN is_copy = 0 THEN bits END) AS most FROM bits) AS shared
  WHERE bits.is_copy = 1 AND (shared.most IS NULL OR bits.bits > shared.most + 3.000000001)
)
SELECT
  rare.copies,
  CASE
    WHEN rare.copies = 0 THEN 1.0
    WHEN rare.copies * ln(1 + sizes.people * (sizes.people - 1) / 2 / (sizes.synthetic * sizes.train)) > 700 THEN 0.0
    ELSE exp(-rare.copies * ln(1 + sizes.people * (sizes.people - 1) / 2 / (sizes.synthetic * sizes.train)))
  END AS p_value
FROM rare
CROSS JOIN sizes
