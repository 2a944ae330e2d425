"""ClickHouse over HTTP: SQL runs on the server; parts that need the kernel run in a private DuckDB."""
