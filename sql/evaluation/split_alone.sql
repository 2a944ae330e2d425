/*
summary = "For each column, the number of train records with a value that no other record has; with unit, no other person."
part = true
run.few = true
tables = ["synthetic?", "train", "holdout"]
*/
-- The rows of a person repeat its values, so uniqueness is counted per person.
WITH numbers AS (
  SELECT record, this_position AS position, this_column AS value
  FROM each_column(numeric, encoded(train))
  WHERE $unit IS NOT NULL
),
categories AS (
  SELECT record, this_position AS position, this_column AS value
  FROM each_column(categorical, encoded(train))
  WHERE $unit IS NOT NULL
),
held AS (
  SELECT numbers.position, count(*) AS records, count(DISTINCT owners.person) AS persons
  FROM numbers
  JOIN owners(train) AS owners ON owners.record = numbers.record
  WHERE $unit IS NOT NULL
  GROUP BY numbers.position, numbers.value

  UNION ALL

  SELECT categories.position, count(*) AS records, count(DISTINCT owners.person) AS persons
  FROM categories
  JOIN owners(train) AS owners ON owners.record = categories.record
  WHERE $unit IS NOT NULL
  GROUP BY categories.position, categories.value
)
SELECT position, sum(CASE WHEN persons = 1 THEN records ELSE 0 END) AS records
FROM held
WHERE $unit IS NOT NULL
GROUP BY position

UNION ALL

SELECT position, sum(CASE WHEN train = 1 THEN 1 ELSE 0 END) AS records
FROM split_values(synthetic := synthetic, train := train, holdout := holdout)
WHERE $unit IS NULL
GROUP BY position
