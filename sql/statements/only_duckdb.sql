-- Whether every attached database is one of DuckDB's own.
SELECT bool_and(type = 'duckdb') AS only_duckdb
FROM duckdb_databases()
