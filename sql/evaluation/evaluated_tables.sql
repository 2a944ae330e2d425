/*
summary = "Section tables of evaluate: the number of records of each table, and whether the key of train is unique."
part = true
tables = ["synthetic", "train", "holdout?"]

[parameters]
drawn = { type = "integer", optional = true, doc = "the option sample of evaluate" }

[numbers]
always = ["tables.{synthetic,train}.{rows,distinct}", "tables.synthetic.{distinct_expected,distinct_share}"]
holdout = ["tables.holdout.rows"]
key = ["tables.train.{key}.different"]
sample = ["tables.{synthetic,train,holdout}.{drawn,drawn_from}"]
*/
WITH different AS (
  SELECT *
  FROM distinct_rows(synthetic := synthetic, train := train, holdout := holdout)
),
tables AS (
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
samples AS (
  SELECT 'synthetic' AS variant, 1 AS number, $synthetic_from AS people
  UNION ALL
  SELECT 'train' AS variant, 2 AS number, $train_from AS people
  UNION ALL
  SELECT 'holdout' AS variant, 3 AS number, $holdout_from AS people
),
numbers AS (
  SELECT variant, number, statistic, CAST(records AS DOUBLE) AS value
  FROM tables
  UNION ALL
  SELECT 'synthetic' AS variant, 1 AS number, 'distinct' AS statistic, CAST(synthetic AS DOUBLE) AS value FROM different
  UNION ALL
  SELECT 'synthetic' AS variant, 1 AS number, 'distinct_expected' AS statistic, expected AS value FROM different
  UNION ALL
  SELECT 'synthetic' AS variant, 1 AS number, 'distinct_share' AS statistic, synthetic / nullif(expected, 0) AS value FROM different
  UNION ALL
  SELECT 'train' AS variant, 2 AS number, 'distinct' AS statistic, CAST(train AS DOUBLE) AS value FROM different
  UNION ALL
  SELECT variant, number, 'drawn' AS statistic, CAST(CASE WHEN people < $drawn THEN people ELSE $drawn END AS DOUBLE) AS value FROM samples WHERE people IS NOT NULL
  UNION ALL
  SELECT variant, number, 'drawn_from' AS statistic, CAST(people AS DOUBLE) AS value FROM samples WHERE people IS NOT NULL
),
words AS (
  SELECT 'rows' AS statistic, 1 AS place, CAST(NULL AS VARCHAR) AS better,
    'How many records the table has.' AS meaning
  UNION ALL SELECT 'different', 2, NULL,
    'How many different values the key has: fewer than records where a person has several, who is then named as unit.'
  UNION ALL SELECT 'distinct', 3, NULL, 'How many different records the table has, in the columns compared.'
  UNION ALL SELECT 'distinct_expected', 4, NULL,
    'How many different ones as many records of train would have: of all of train where it is the smaller table.'
  UNION ALL SELECT 'distinct_share', 5, NULL,
    'The different records of synthetic as a share of that; below one half, it repeats few records.'
  UNION ALL SELECT 'drawn', 6, NULL, 'How many records, or persons with a unit, were drawn: all numbers are about this sample.'
  UNION ALL SELECT 'drawn_from', 7, NULL, 'How many there are in the whole table.'
)
SELECT
  'tables' AS section, 100 + numbers.number AS position, 'tables' AS metric, numbers.variant, words.*, numbers.value, CAST(NULL AS DOUBLE) AS lower, CAST(NULL AS DOUBLE) AS upper
FROM numbers
JOIN words ON words.statistic = numbers.statistic
