-- Whether a name is a table stored in DuckDB itself: its row order is the same at every read.
SELECT
  coalesce(bool_and(is_table AND kind = 'duckdb'), false) AS is_base_table
FROM (
  SELECT database_name, schema_name, table_name AS name, true AS is_table FROM duckdb_tables()
  UNION ALL
  SELECT database_name, schema_name, view_name AS name, false AS is_table FROM duckdb_views() WHERE NOT internal
) AS relations
JOIN (SELECT database_name, type AS kind FROM duckdb_databases()) AS databases
  ON databases.database_name = relations.database_name
WHERE lower(name) = lower($name)
  AND ($qualifier IS NULL OR lower($qualifier) IN (lower(schema_name), lower(relations.database_name)))
