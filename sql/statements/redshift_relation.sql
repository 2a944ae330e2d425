-- A table or view of a name, in a schema or in that of the session.
SELECT table_schema AS "schema", table_name AS "name"
FROM information_schema.tables
WHERE table_name = $1 AND table_schema = coalesce($2, current_schema())
