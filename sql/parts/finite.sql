/*
summary = "The numbers of a table, without those that are infinite."
part = true
tables = ["train"]

[parameters]
train = { doc = "any table" }
*/
-- Callers report infinite values themselves, with table, column and count.
SELECT
  record,
  each(numeric, CASE WHEN isfinite(this_column) THEN this_column END)
FROM encoded(train)
