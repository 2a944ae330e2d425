/*
summary = "The unit of each record of a table, or an error if it is missing for some."
part = true
tables = ["relation"]
*/
WITH nameless AS (
  SELECT count(*) FILTER (WHERE person IS NULL) AS records
  FROM units(relation)
)
SELECT units.record, units.person
FROM units(relation) AS units
CROSS JOIN nameless
WHERE CASE
  WHEN nameless.records > 0 THEN CAST(error(
    'UnitError: the unit is missing in ' || nameless.records || ' rows of ' || label(relation)
    || '; fill it in, or leave these rows out'
  ) AS BOOLEAN)
  ELSE true
END
