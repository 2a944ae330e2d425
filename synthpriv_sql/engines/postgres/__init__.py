"""PostgreSQL over ADBC: what can runs there as SQL, what needs the kernel runs in a private DuckDB beside it."""
