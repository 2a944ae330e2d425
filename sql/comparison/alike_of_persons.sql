/*
summary = "The number of records of each person in each set of equal records, by the first record of the set; and whether that one is the person's."
part = true
run.materialized = true
tables = ["train", "holdout"]
*/
WITH alike AS (
  SELECT record, min(record) OVER (PARTITION BY each(compared, this_column)) AS first_record
  FROM population(train := train, holdout := holdout)
),
owned AS (
  SELECT
    alike.record,
    alike.first_record,
    persons.side,
    persons.person,
    min(alike.record) OVER (PARTITION BY persons.side, persons.person) AS first_of_person
  FROM persons(train := train, holdout := holdout) AS persons
  CROSS JOIN (SELECT count(*) AS members FROM encoded(train)) AS sizes
  JOIN alike ON alike.record = persons.record + CASE WHEN persons.side = 'train' THEN 0 ELSE sizes.members END
)
SELECT
  first_record,
  side,
  person,
  first_of_person,
  count(*) AS records,
  min(record) = first_record AS is_first
FROM owned
GROUP BY first_record, side, person, first_of_person
