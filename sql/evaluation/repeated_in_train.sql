/*
summary = "One row: the number of train records that equal another train record, and the number of all records."
part = true
run.few = true
tables = ["train"]
*/
SELECT CAST(sum(times) AS BIGINT) AS n, CAST(sum(CASE WHEN times > 1 THEN times ELSE 0 END) AS BIGINT) AS records
FROM (
  SELECT each(compared, this_column), count(*) AS times
  FROM raw(train)
  GROUP BY each(compared, this_column)
) AS combinations
