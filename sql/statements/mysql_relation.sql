-- A table or view of a name, in a schema or in that of the session. Names of the same case come first.
SELECT table_schema AS schema_name, table_name AS name, table_type AS kind
FROM information_schema.tables
WHERE table_name = %s AND table_schema = coalesce(%s, database())
ORDER BY binary table_name = binary %s DESC
LIMIT 1
