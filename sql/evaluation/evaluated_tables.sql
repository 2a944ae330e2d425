/*
summary = "Section tables of evaluate: the number of records of each table, and whether the key of train is unique."
part = true
tables = ["synthetic", "train", "holdout?"]

[numbers]
always = ["tables.{synthetic,train}.rows"]
holdout = ["tables.holdout.rows"]
key = ["tables.train.{key}.different"]
*/
WITH tables AS (
  SELECT 'synthetic' AS variant, 1 AS number, 'rows' AS statistic, count(*) AS records FROM encoded(synthetic)
  UNION ALL
  SELECT 'train' AS variant, 2 AS number, 'rows' AS statistic, count(*) AS records FROM encoded(train)
  UNION ALL
  SELECT 'holdout' AS variant, 3 AS number, 'rows' AS statistic, count(*) AS records
  FROM encoded(holdout)
  WHERE $holdout IS NOT NULL
  UNION ALL
  SELECT 'train.' || max(names.name) AS variant, 4 AS number, 'different' AS statistic, count(DISTINCT keys.key) AS records
  FROM keys(relation := train) AS keys
  CROSS JOIN (SELECT this_name AS name FROM each_column(key)) AS names
  WHERE $train_key IS NOT NULL
),
words AS (
  SELECT 'rows' AS statistic, 1 AS place, CAST(NULL AS VARCHAR) AS better,
    'How many records the table has.' AS meaning
  UNION ALL SELECT 'different', 2, NULL,
    'How many different values the key has: fewer than records where a person has several, who is then named as unit.'
)
SELECT
  'tables' AS section, 100 + tables.number AS position, 'tables' AS metric, tables.variant, words.*,
  CAST(tables.records AS DOUBLE) AS value, CAST(NULL AS DOUBLE) AS lower, CAST(NULL AS DOUBLE) AS upper
FROM tables
JOIN words ON words.statistic = tables.statistic
