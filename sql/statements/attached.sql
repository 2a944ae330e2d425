-- The databases, to notice that one was attached.
SELECT database_name, database_oid FROM system.main.duckdb_databases() ORDER BY ALL
