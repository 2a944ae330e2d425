-- Whether every attached database is a DuckDB database.
SELECT bool_and(type = 'duckdb') AS only_duckdb
FROM duckdb_databases()
