"""Calls inside SQL, which are planned while DuckDB binds a statement."""
