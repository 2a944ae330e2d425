-- The temporary tables of a call.
SELECT table_name
FROM duckdb_tables()
WHERE temporary
