"""Random forests on encoded pages: the baseline (in DuckDB, or one task per column), detection and utility."""
