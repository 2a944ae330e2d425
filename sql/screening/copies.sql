/*
summary = "The number of train records that equal each synthetic record in all compared columns, on the raw values."
source = "Exact match with NULL and NaN equal to each other (IS NOT DISTINCT FROM)."
options = ["distance", "unit.unit"]
reads.units = ["train"]
order = ["record"]
keys = { record = "synthetic" }
example = { synthetic = "synthetic", train = "train", key = "id" }
tables = ["synthetic", "train"]

[parameters]
near = { type = "boolean", own = true, default = false, doc = "texts need only be nearly equal: without case and runs of blanks, and up to some edits (see docs/tasks/text.md); where the kernel is: DuckDB, beside it, and Spark" }

[columns]
record = "BIGINT, the synthetic record's 0-based position in scan order"
copies = "BIGINT, train records equal to it (with unit, persons with such a record); 0 if there are none"
*/
WITH originals AS (
  SELECT each(compared, this_column), count(*) AS times
  FROM countable(train)
  GROUP BY each(compared, this_column)
)
SELECT
  records.record,
  coalesce(originals.times, 0) AS copies
FROM raw(synthetic) AS records
LEFT JOIN originals ON every(compared, records.this_column IS NOT DISTINCT FROM originals.this_column)
WHERE NOT $near

UNION ALL

SELECT record, copies
FROM near_copies(synthetic := synthetic, train := train)
WHERE $near
