-- The columns of a table with their types, as a CREATE TABLE names them.
SELECT column_name AS name, column_type AS type, character_set_name AS characters, collation_name AS collation_used
FROM information_schema.columns
WHERE table_schema = %s AND table_name = %s
ORDER BY ordinal_position
