-- The attached databases of PostgreSQL.
SELECT database_name FROM duckdb_databases() WHERE type = 'postgres'
