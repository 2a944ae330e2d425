/*
summary = "The text of a number, the same in every database if it is whole."
part = true

[parameters]
value = { type = "expression", doc = "a number" }
*/
SELECT
  CASE WHEN abs(value) < 1e15 AND value = floor(value) THEN CAST(CAST(value AS BIGINT) AS VARCHAR) ELSE CAST(value AS VARCHAR) END
