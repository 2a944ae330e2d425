SELECT count(*) FROM duckdb_tables() WHERE schema_name = 'history' AND table_name = 'releases'
