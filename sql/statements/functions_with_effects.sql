-- The functions of DuckDB of which it says that they have effects.
SELECT DISTINCT lower(function_name) AS name FROM system.main.duckdb_functions() WHERE has_side_effects
