SELECT table_name FROM duckdb_tables() WHERE NOT internal AND schema_name = 'main'
