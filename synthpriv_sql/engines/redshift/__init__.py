"""Redshift by PostgreSQL's driver: SQL runs there; parts that need the kernel run in a private DuckDB."""
