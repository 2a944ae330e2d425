"""Calls beyond one function on plain tables: families, several tables, runs of rows, the user's own scores."""
