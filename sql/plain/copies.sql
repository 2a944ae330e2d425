/*
summary = "Copies, without a join on IS NOT DISTINCT FROM, which most databases run as a nested loop over all pairs."
part = true
options = ["distance", "unit.unit"]
reads.units = ["train"]
run.stands_in = ["other databases"]
tables = ["synthetic", "train"]

[parameters]
near = { type = "boolean", own = true, default = false, doc = "as in copies" }
*/
WITH together AS (
  SELECT record, 0 AS original, each(compared, this_column)
  FROM raw(synthetic)

  UNION ALL

  SELECT CAST(NULL AS BIGINT) AS record, 1 AS original, each(compared, this_column)
  FROM countable(train)
),
counted AS (
  SELECT record, sum(original) OVER (PARTITION BY each(compared, this_column)) AS copies
  FROM together
)
SELECT record, CAST(copies AS BIGINT) AS copies
FROM counted
WHERE record IS NOT NULL AND NOT $near

UNION ALL

SELECT record, copies
FROM near_copies(synthetic := synthetic, train := train)
WHERE $near
