/*
summary = "The number of real persons that each synthetic person is a complete copy of: the same rows with the same multiplicities, on the raw values."
source = "Equality of multisets of rows, with NULL and NaN equal to each other."
options = ["unit.unit", "distance"]
reads.units = ["synthetic", "train"]
order = ["person"]
example = { synthetic = "synthetic", train = "train", unit = "city", columns = ["n"] }
tables = ["synthetic", "train"]

[parameters]
unit = { required = true }

[columns]
person = "ANY, the synthetic person, in the type of the unit"
copies = "BIGINT, real persons with the same rows; 0 if there are none"
*/
WITH together AS (
  SELECT 'synthetic' AS side, 2 * record + 1 AS number, each(compared, this_column)
  FROM raw(synthetic)

  UNION ALL

  SELECT 'train' AS side, 2 * record AS number, each(compared, this_column)
  FROM raw(train)
),
-- Equal rows share the smallest of their numbers.
numbered AS (
  SELECT side, number, min(number) OVER (PARTITION BY each(compared, this_column)) AS kind
  FROM together
),
mine AS (
  SELECT owners.person, string_agg(CAST(numbered.kind AS VARCHAR), ',' ORDER BY numbered.kind) AS kinds
  FROM owners(synthetic) AS owners
  JOIN numbered ON numbered.side = 'synthetic' AND numbered.number = 2 * owners.record + 1
  GROUP BY owners.person
),
theirs AS (
  SELECT owners.person, string_agg(CAST(numbered.kind AS VARCHAR), ',' ORDER BY numbered.kind) AS kinds
  FROM owners(train) AS owners
  JOIN numbered ON numbered.side = 'train' AND numbered.number = 2 * owners.record
  GROUP BY owners.person
),
counted AS (
  SELECT kinds, count(*) AS copies
  FROM theirs
  GROUP BY kinds
)
SELECT mine.person, coalesce(counted.copies, 0) AS copies
FROM mine
LEFT JOIN counted ON counted.kinds = mine.kinds
