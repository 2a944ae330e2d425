/*
summary = "One row that is 0, or an error if a table has infinite numbers."
part = true
run.few = true
tables = ["relation"]
*/
WITH infinite AS (
  SELECT count(*) AS "rows", each(numeric, count(*) FILTER (WHERE isinf(this_column)))
  FROM encoded(relation)
)
SELECT
  total(numeric,
    CASE
      WHEN infinite.this_column > 0 THEN infinite_value_error(this_name, infinite.this_column, label(relation))
      ELSE 0
    END
  ) AS problems
FROM infinite
