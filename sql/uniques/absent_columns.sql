/*
summary = "The columns that releases lack, with the numbers of the records of each where they are numbered as one table."
part = true
run.few = true
reads.compares = true
reads.unites = true
*/
SELECT
  CAST(this_place_of * 1099511627776 AS BIGINT) AS first_number,
  CAST(this_place_of * 1099511627776 + 1099511627776 AS BIGINT) AS next_number,
  CAST(this_value AS VARCHAR) AS column_name
FROM each_release
CROSS JOIN each_value(this_lacks)
