"""PostgreSQL over ADBC: SQL runs in PostgreSQL; parts that need the kernel run in a private DuckDB."""
