-- A query as DuckDB parses it, or an error where it is not made of SELECTs.
SELECT json_serialize_sql(?)
