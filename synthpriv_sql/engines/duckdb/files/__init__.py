"""Files as DuckDB reads them: CSV in any encoding, and Excel."""
