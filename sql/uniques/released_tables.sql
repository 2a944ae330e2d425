/*
summary = "The tables that a call is about, with the number of the first record of each where they are numbered as one table."
part = true
run.few = true
*/
SELECT this_place_of * 1099511627776 AS first_number, this_name_of AS release
FROM each_release
WHERE $released IS NOT NULL

UNION ALL

SELECT CAST(0 AS BIGINT) AS first_number, CAST(NULL AS VARCHAR) AS release
WHERE $released IS NULL
