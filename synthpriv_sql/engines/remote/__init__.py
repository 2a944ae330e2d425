"""Databases that are read over a connection: SQL runs there; parts that need the kernel run in a private DuckDB."""
