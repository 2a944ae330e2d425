"""DuckDB: runs calls in the user's own connection."""
