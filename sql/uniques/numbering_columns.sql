/*
summary = "Which of some columns number the rows of synthetic (running_numbers), or hold keys that the tables do not share (unshared_keys)."
part = true
run.few = true
reads.common = true
run.asks_before = { possible = "possible_numbers" }
tables = ["synthetic", "train"]

[parameters]
columns = { type = "names", own = true, doc = "the columns, those of possible_numbers" }

[columns]
column_name = "VARCHAR"
kind = "VARCHAR, number or key"
*/
SELECT column_name, max(kind) AS kind
FROM (
  SELECT column_name, 'number' AS kind FROM running_numbers(synthetic := synthetic, train := train)
  UNION ALL
  SELECT column_name, 'key' AS kind FROM unshared_keys(synthetic := synthetic, train := train)
) AS found
GROUP BY column_name
