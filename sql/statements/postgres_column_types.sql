-- The names and types of a table's columns, in order, as PostgreSQL writes them in a CREATE TABLE.
SELECT attname AS name, format_type(atttypid, atttypmod) AS type
FROM pg_catalog.pg_attribute
WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped
ORDER BY attnum
