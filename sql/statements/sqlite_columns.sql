-- The columns of a table or view that SELECT * gives, with the types that they are declared with.
SELECT name, type
FROM pragma_table_xinfo(?1, ?2)
WHERE hidden <> 1
ORDER BY cid
