/*
summary = "Section identifiers of evaluate: columns that look as if they named records, which hide copies where they are compared."
part = true

[parameters]
synthetic = { type = "relation", doc = "the synthetic table" }
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
holdout = { type = "relation", optional = true, doc = "real rows that it never saw" }

[numbers]
always = [
  "identifiers.columns",
  "identifiers.*.distinct",
]
*/
WITH found AS (
  SELECT column_name, "count", "distinct"
  FROM identifiers(synthetic := synthetic, train := train, holdout := holdout)
  WHERE identifier
)
SELECT
  'identifiers' AS section, 120 AS position, 'identifiers' AS metric, CAST(NULL AS VARCHAR) AS variant,
  'columns' AS statistic, 1 AS place, 'lower' AS better,
  'Compared columns that look as if they named records; two records that differ there are no copies of each other.' AS meaning,
  CAST(count(*) AS DOUBLE) AS value, CAST(NULL AS DOUBLE) AS lower, CAST(NULL AS DOUBLE) AS upper
FROM found

UNION ALL

SELECT
  'identifiers', 121, 'identifiers', column_name, 'distinct', 2, NULL,
  'The share of its values in train that differ from all others: it looks like an identifier. Give it as key, or exclude it.',
  CAST("distinct" AS DOUBLE) / "count", NULL, NULL
FROM found
