-- The views of some names in lower case, in all databases: whether they are temporary, and how DuckDB writes them.
SELECT database_name = 'temp' AS is_temporary, sql
FROM system.main.duckdb_views()
WHERE NOT internal AND list_contains(?, lower(view_name))
