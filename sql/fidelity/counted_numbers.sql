/*
summary = "How often each value of each numeric column occurs in a table."
part = true
tables = ["relation"]
*/
SELECT this_position AS position, this_column AS value, CAST(count(*) AS BIGINT) AS records
FROM each_column(numeric, encoded(relation))
WHERE this_column IS NOT NULL
GROUP BY this_column
