-- The tables and views of a name, or of a name and a schema, in the order in which SQLite looks for them.
SELECT schema, name, type = 'table' AND NOT wr AS has_places
FROM pragma_table_list
WHERE name = ?1 COLLATE NOCASE AND (?2 IS NULL OR schema = ?2 COLLATE NOCASE) AND type IN ('table', 'view', 'virtual')
ORDER BY schema = 'temp' DESC, schema = 'main' DESC, schema
LIMIT 1
