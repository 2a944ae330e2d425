/*
summary = "The records of a table among which copies are counted: each row or, with unit, each distinct row of a person."
part = true
tables = ["relation"]
*/
WITH owned AS (
  SELECT DISTINCT owners.person, each(compared, records.this_column)
  FROM raw(relation) AS records
  JOIN owners(relation) AS owners ON owners.record = records.record
  WHERE $unit IS NOT NULL
)
SELECT each(compared, this_column)
FROM raw(relation)
WHERE $unit IS NULL

UNION ALL

SELECT each(compared, this_column)
FROM owned
WHERE $unit IS NOT NULL
