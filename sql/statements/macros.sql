-- The macros of all databases but our own, with what they select or compute, and the other table functions.
SELECT lower(function_name) AS name, macro_definition AS body
FROM system.main.duckdb_functions()
WHERE (macro_definition IS NOT NULL AND NOT internal AND database_name <> ?) OR function_type = 'table'
