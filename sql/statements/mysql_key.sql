-- The columns of the primary key of a table, in its order.
SELECT column_name AS name
FROM information_schema.statistics
WHERE table_schema = %s AND table_name = %s AND index_name = 'PRIMARY'
ORDER BY seq_in_index
