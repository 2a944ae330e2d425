/*
summary = "All rows of a table, unchanged, but for some records."
part = true
gives.columns_of = "own"
order = ["record"]

[parameters]
data = { type = "relation", doc = "the table" }
removed = { type = "numbers", default = [], doc = "the numbers of the records to leave out" }
*/
SELECT
  each(own, own.this_column),
  own.record
FROM own(data) AS own
WHERE $removed IS NULL OR NOT list_contains($removed, own.record)
