/*
summary = "Section identifiers of evaluate: columns that look like identifiers; comparing them hides copies."
part = true
tables = ["synthetic", "train", "holdout?"]

[numbers]
always = [
  "identifiers.columns",
  "identifiers.*.{distinct,lettered,repeats}",
]
*/
WITH candidates AS (
  SELECT column_name, role, "count", "distinct", identifier, lettered
  FROM identifiers(synthetic := synthetic, train := train, holdout := holdout)
),
found AS (
  SELECT column_name, "count", "distinct", lettered
  FROM candidates
  WHERE identifier
),
-- Named like an identifier, a number or text with repeated values, and with more distinct values than a code has.
named AS (
  SELECT column_name, "count", "distinct"
  FROM candidates
  WHERE NOT identifier
    AND role <> 'temporal'
    AND "count" > "distinct"
    AND 100 * "distinct" >= "count"
    AND "count" >= 20
    AND (right(lower(column_name), 3) = '_id' OR lower(column_name) = 'id' OR right(column_name, 2) IN ('Id', 'ID'))
)
SELECT
  'identifiers' AS section, 120 AS position, 'identifiers' AS metric, CAST(NULL AS VARCHAR) AS variant,
  'columns' AS statistic, 1 AS place, 'lower' AS better,
  'Compared columns that look like identifiers; two records that differ in them are not copies of each other.' AS meaning,
  CAST(count(*) AS DOUBLE) AS value, CAST(NULL AS DOUBLE) AS lower, CAST(NULL AS DOUBLE) AS upper
FROM found

UNION ALL

SELECT
  'identifiers', 121, 'identifiers', column_name, 'distinct', 2, NULL,
  'The share of its values in train that differ from all others: it looks like an identifier. Give it as key, or exclude it.',
  CAST("distinct" AS DOUBLE) / "count", NULL, NULL
FROM found

UNION ALL

SELECT
  'identifiers', 121, 'identifiers', column_name, 'lettered', 3, NULL,
  'The share of these values with more letters than digits: names, addresses and notes, which may be given as text.',
  lettered, NULL, NULL
FROM found
WHERE lettered > 0.5

UNION ALL

SELECT
  'identifiers', 122, 'identifiers', column_name, 'repeats', 4, NULL,
  'How often each of its values is in train: it is called like an identifier, and is compared. If it says whose row it is, give it as unit.',
  CAST("count" AS DOUBLE) / "distinct", NULL, NULL
FROM named
