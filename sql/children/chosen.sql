/*
summary = "Some columns of a table: aggregates of children without the columns of their parents."
part = true
reads.common = true
gives.columns_of = "common"
order = ["record"]

[parameters]
data = { type = "relation", doc = "the table" }
columns = { type = "names", own = true, doc = "the columns to keep" }
*/
SELECT this_record AS record, each(common, own_value(this_column))
FROM data
