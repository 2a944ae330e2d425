"""The random forest baseline: forests grown on encoded pages, as a function of DuckDB and as tasks of a column each."""
