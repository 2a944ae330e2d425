/*
summary = "No rows of the section dimensions: it compares pairs of records, which the kernel does."
part = true
run.stands_in = ["no kernel"]
tables = ["train"]
*/
SELECT
  'dimensions' AS section, 95 AS position, 'dimensions' AS metric, CAST(NULL AS VARCHAR) AS variant, 'contrast' AS statistic,
  1 AS place, CAST(NULL AS VARCHAR) AS better, CAST(NULL AS VARCHAR) AS meaning, CAST(NULL AS DOUBLE) AS value,
  CAST(NULL AS DOUBLE) AS lower, CAST(NULL AS DOUBLE) AS upper
WHERE 1 = 0
