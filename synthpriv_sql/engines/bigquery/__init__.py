"""BigQuery over its REST interface: SQL runs there; parts that need the kernel run in a private DuckDB."""
