/*
summary = "The records of a table that are not flagged, as the kernel takes them, numbered anew beside their own numbers."
part = true

[parameters]
synthetic = { type = "relation", doc = "the synthetic table" }
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

-- A search needs a record: where none is left, one stands there that nobody can be told to leave out.
SELECT
  0 AS record,
  CAST(NULL AS BIGINT) AS original,
  each(compared, max(this_column))
FROM encoded(synthetic)
HAVING (SELECT count(*) FROM kept) = 0
