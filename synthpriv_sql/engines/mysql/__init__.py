"""MySQL and MariaDB: SQL runs in the server; parts that need the kernel, or that it lacks, in a private DuckDB."""
