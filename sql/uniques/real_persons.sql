/*
summary = "The person of each real record, numbered (without unit, the record itself), with its side and the person's first record there."
part = true
tables = ["train", "holdout?"]
*/
WITH real_rows AS (
  SELECT 'train' AS side, record, record AS position
  FROM encoded(train)

  UNION ALL

  SELECT 'holdout' AS side, record, record + (SELECT count(*) FROM encoded(train)) AS position
  FROM encoded(holdout)
  WHERE $holdout IS NOT NULL
)
SELECT side, record, position, position AS person, record AS first_record
FROM real_rows
WHERE $unit IS NULL

UNION ALL

SELECT
  real_rows.side,
  real_rows.record,
  real_rows.position,
  dense_rank() OVER (ORDER BY persons.person) AS person,
  min(real_rows.record) OVER (PARTITION BY real_rows.side, persons.person) AS first_record
FROM real_rows
JOIN persons(train := train, holdout := holdout) AS persons
  ON persons.side = real_rows.side AND persons.record = real_rows.record
WHERE $unit IS NOT NULL
