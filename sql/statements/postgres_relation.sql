-- The first of up to three readings of a name that is a relation: its schema, and the system columns by which its rows
-- can be numbered. Rows of a table have a position (ctid), which is not unique across partitions; rows of a view or
-- a foreign table have none.
WITH RECURSIVE readings (place, reading) AS (
  VALUES (1, $1), (2, $2), (3, $3)
),
found AS (
  SELECT
    relations.oid,
    namespaces.nspname AS "schema",
    relations.relname AS "name",
    relations.relkind AS kind
  FROM readings
  JOIN pg_catalog.pg_class AS relations ON relations.oid = to_regclass(readings.reading)
  JOIN pg_catalog.pg_namespace AS namespaces ON namespaces.oid = relations.relnamespace
  WHERE relations.relkind IN ('r', 'p', 'm', 'v', 'f')
  ORDER BY readings.place
  LIMIT 1
),
members (oid, kind) AS (
  SELECT oid, kind FROM found
  UNION
  SELECT relations.oid, relations.relkind
  FROM members
  JOIN pg_catalog.pg_inherits AS inherits ON inherits.inhparent = members.oid
  JOIN pg_catalog.pg_class AS relations ON relations.oid = inherits.inhrelid
)
SELECT
  found."schema",
  found."name",
  NOT EXISTS (SELECT 1 FROM members WHERE kind IN ('v', 'f')) AS has_places,
  (SELECT count(*) FROM members) > 1 AS has_members
FROM found
