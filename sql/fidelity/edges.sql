/*
summary = "One row: between which numbers the quantile bins of train lie, as columns beside each other."
part = true
materialized = true

[parameters]
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
bins = { type = "integer", default = 10, doc = "how many bins" }
*/
SELECT
  each(numeric, this_least := min(this_column)),
  each(numeric, this_most := max(this_column)),
  each(numeric, each(numbers(1, $bins), this_edge := quantile_cont(this_column, this_share))),
  count(*) AS records
FROM finite(train)
