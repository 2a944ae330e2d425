/*
summary = "The records of a table that are not flagged, in the kernel's encoding, renumbered, with their original numbers."
part = true
tables = ["synthetic"]

[parameters]
flagged = { type = "relation", doc = "rows of record" }
*/
WITH kept AS (
  SELECT records.record, each(compared, records.this_column)
  FROM encoded(synthetic) AS records
  LEFT JOIN (SELECT DISTINCT record FROM flagged) AS taken ON taken.record = records.record
  WHERE taken.record IS NULL
)
SELECT
  row_number() OVER (ORDER BY record) - 1 AS record,
  record AS original,
  each(compared, this_column)
FROM kept

UNION ALL

-- A search needs at least one record: if none is left, a dummy without a number is used.
SELECT
  0 AS record,
  CAST(NULL AS BIGINT) AS original,
  each(compared, max(this_column))
FROM encoded(synthetic)
HAVING (SELECT count(*) FROM kept) = 0
