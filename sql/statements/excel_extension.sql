-- Whether the Excel extension is installed; the query does not download it.
SELECT coalesce(bool_or(installed OR loaded), false) AS installed
FROM duckdb_extensions()
WHERE extension_name = 'excel'
