/*
summary = "No rows: without the kernel, replicated uniques are not counted by the columns of their combinations."
part = true
run.stands_in = ["no kernel", "other databases"]
tables = ["synthetic", "train", "holdout?"]
*/
SELECT
  CAST(NULL AS VARCHAR) AS column_name, CAST(0 AS BIGINT) AS place, CAST(0 AS BIGINT) AS score, CAST(0 AS BIGINT) AS members,
  CAST(0 AS BIGINT) AS non_members
WHERE 1 = 0
