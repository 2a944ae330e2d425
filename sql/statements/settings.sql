SELECT name, value FROM duckdb_settings()
