SELECT count(*) FROM duckdb_tables() WHERE schema_name = 'remembered' AND table_name = 'releases'
