/*
summary = "Stops the statement with the error about infinite values."
part = true

[parameters]
column_name = { type = "expression", doc = "the column" }
infinite = { type = "expression", doc = "the number of infinite values" }
relation = { type = "expression", doc = "the table" }
*/
SELECT
  CAST(error(
    'InfiniteValue: column "' || column_name || '" of ' || relation || ' holds ' || infinite
    || ' infinite values; no distance is defined for them. Replace them by NULL or exclude the column.'
  ) AS BIGINT)
