/*
summary = "How often each category of each column occurs in a table; missing values form a category."
part = true
run.materialized = true
tables = ["relation"]
*/
SELECT this_position AS position, this_column AS category, CAST(count(*) AS BIGINT) AS records
FROM each_column(categorical, encoded(relation))
GROUP BY this_column
