"""A DuckDB server, reached over DuckDB's protocol Quack."""
