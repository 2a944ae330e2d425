"""DuckDB: what runs in the user's own connection."""
