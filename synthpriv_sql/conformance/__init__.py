"""Whether a database gives what DuckDB gives: calls of every function on small tables that have all that is awkward."""
