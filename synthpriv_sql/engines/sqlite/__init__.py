"""SQLite files: SQL runs in SQLite; parts that need the kernel, or that SQLite lacks, run in a private DuckDB."""
