/*
summary = "For each record, the first record of its person; without unit, the record itself."
part = true
tables = ["relation"]
*/
SELECT record, record AS first_record
FROM encoded(relation)
WHERE $unit IS NULL

UNION ALL

SELECT record, min(record) OVER (PARTITION BY person) AS first_record
FROM owners(relation)
WHERE $unit IS NOT NULL
