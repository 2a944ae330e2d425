/*
summary = "Section tables of evaluate: how many records each table has."
part = true

[parameters]
synthetic = { type = "relation", doc = "the synthetic table" }
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
holdout = { type = "relation", optional = true, doc = "real rows that it never saw" }

[numbers]
always = ["tables.{synthetic,train}.rows"]
holdout = ["tables.holdout.rows"]
*/
WITH tables AS (
  SELECT 'synthetic' AS variant, 1 AS number, count(*) AS records FROM encoded(synthetic)
  UNION ALL
  SELECT 'train' AS variant, 2 AS number, count(*) AS records FROM encoded(train)
  UNION ALL
  SELECT 'holdout' AS variant, 3 AS number, count(*) AS records FROM encoded(holdout) WHERE $holdout IS NOT NULL
),
words AS (
  SELECT 'rows' AS statistic, 1 AS place, CAST(NULL AS VARCHAR) AS better,
    'How many records the table has.' AS meaning
)
SELECT
  'tables' AS section, 100 + tables.number AS position, 'tables' AS metric, tables.variant, words.*,
  CAST(tables.records AS DOUBLE) AS value, CAST(NULL AS DOUBLE) AS lower, CAST(NULL AS DOUBLE) AS upper
FROM tables
CROSS JOIN words
