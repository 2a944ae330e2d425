-- Whether the extension that reads Excel is on this machine: asking downloads nothing.
SELECT coalesce(bool_or(installed OR loaded), false) AS installed
FROM duckdb_extensions()
WHERE extension_name = 'excel'
