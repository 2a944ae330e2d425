-- The table or view of a name, as DuckDB finds it: whatever its case, in the current database and schema first. A name
-- before it is that of a schema or of a database. Rows of DuckDB's own tables are numbered by their rowid, unless a
-- column is called so.
SELECT
  relations.database_name AS "database",
  relations.schema_name AS "schema",
  relations.name,
  relations.is_table AND databases.type = 'duckdb' AND NOT EXISTS (
    SELECT 1
    FROM duckdb_columns() AS own
    WHERE own.database_name = relations.database_name
      AND own.schema_name = relations.schema_name
      AND own.table_name = relations.name
      AND lower(own.column_name) = 'rowid'
  ) AS has_places
FROM (
  SELECT database_name, schema_name, table_name AS name, TRUE AS is_table FROM duckdb_tables()
  UNION ALL
  SELECT database_name, schema_name, view_name AS name, FALSE AS is_table FROM duckdb_views() WHERE NOT internal
) AS relations
JOIN duckdb_databases() AS databases ON databases.database_name = relations.database_name
WHERE lower(relations.name) = lower($name)
  AND ($qualifier IS NULL OR lower($qualifier) IN (lower(relations.schema_name), lower(relations.database_name)))
  AND ($database IS NULL OR lower($database) = lower(relations.database_name))
ORDER BY
  relations.name = $name DESC,
  relations.database_name = current_database() DESC,
  relations.schema_name = current_schema() DESC,
  relations.schema_name = 'main' DESC
LIMIT 1
