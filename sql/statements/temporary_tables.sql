-- The tables that a call has made for itself.
SELECT table_name
FROM duckdb_tables()
WHERE temporary
