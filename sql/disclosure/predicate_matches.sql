/*
summary = "The number of records of each side that match each predicate; no row if there are none."
part = true
run.materialized = true

[parameters]
predicates = { type = "relation", doc = "rows of predicate, the position of the column for the lookup of records and, for each column, whether it is part of the predicate, and its value" }
records = { type = "relation", doc = "rows of side, record and the values of each column" }
*/
WITH found AS (
  SELECT predicates.predicate, records.side, records.record
  FROM each_column(compared, predicates) AS predicates
  JOIN records ON records.this_column = predicates.this_column
  WHERE predicates.position = this_position
)
SELECT found.predicate, found.side, count(*) AS n
FROM found
JOIN predicates ON predicates.predicate = found.predicate
JOIN records ON records.side = found.side AND records.record = found.record
WHERE every(compared, (predicates.this_asked = 0 OR same_value(predicates.this_column, records.this_column)))
GROUP BY found.predicate, found.side
