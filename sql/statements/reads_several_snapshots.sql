-- Whether a statement reads several tables of attached PostgreSQL databases over more than one connection: only the
-- connection that started the transaction has its snapshot.
SELECT
  count(DISTINCT asked) > 1
  AND EXISTS (FROM duckdb_settings() WHERE name = 'pg_use_ctid_scan' AND value = 'true') AS several
FROM (SELECT unnest($tables) AS asked) AS given
JOIN (
  SELECT database_name, schema_name, table_name AS name FROM duckdb_tables()
  UNION ALL
  SELECT database_name, schema_name, view_name AS name FROM duckdb_views() WHERE NOT internal
) AS relations
  ON lower(relations.name) = lower(asked.name)
  AND (
    asked.qualifier IS NULL
    OR lower(asked.qualifier) IN (lower(relations.schema_name), lower(relations.database_name))
  )
JOIN (SELECT database_name FROM duckdb_databases() WHERE type = 'postgres') AS databases
  ON databases.database_name = relations.database_name
