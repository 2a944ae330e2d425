/*
summary = "A share in percent as text, with one decimal."
part = true

[parameters]
share = { type = "expression", doc = "a share from 0 to 1" }
*/
SELECT
  CAST(CAST(floor(1000 * share + 0.5) AS BIGINT) // 10 AS VARCHAR) || '.'
  || CAST(CAST(floor(1000 * share + 0.5) AS BIGINT) % 10 AS VARCHAR) || ' %'
