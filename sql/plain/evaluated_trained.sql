/*
summary = "No rows about models of secrets: they are trained beside DuckDB only."
part = true
run.stands_in = ["no kernel"]
tables = ["synthetic", "train", "holdout"]

[parameters]
known = { type = "names", optional = true, doc = "as in evaluate" }
secrets = { type = "names", optional = true, doc = "as in evaluate" }
false_discovery = { type = "number", default = 0.05, doc = "as in evaluate" }
among = { type = "text", default = "known", doc = "the columns that are compared" }
*/
SELECT
  'attribute_inference' AS section, 3000 AS position, 'attribute_inference' AS metric, CAST(NULL AS VARCHAR) AS variant,
  'auc' AS statistic, 5 AS place, CAST(NULL AS VARCHAR) AS better, CAST(NULL AS VARCHAR) AS meaning,
  CAST(NULL AS DOUBLE) AS value, CAST(NULL AS DOUBLE) AS lower, CAST(NULL AS DOUBLE) AS upper
WHERE 1 = 0
