-- An expression as DuckDB parses it, as the only column of a SELECT, which is never run.
SELECT json_serialize_sql('SELECT ' || ?)
