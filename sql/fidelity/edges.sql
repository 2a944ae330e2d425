/*
summary = "One row: the edges of the quantile bins of train, one column each."
part = true
run.materialized = true
tables = ["train"]

[parameters]
bins = { type = "integer", default = 10, doc = "number of bins" }
*/
SELECT
  each(numeric, this_least := min(this_column)),
  each(numeric, this_most := max(this_column)),
  each(numeric, each(numbers(1, $bins), this_edge := quantile_cont(this_column, this_share))),
  count(*) AS records
FROM finite(train)
