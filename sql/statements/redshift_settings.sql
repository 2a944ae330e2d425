-- For this transaction only: text formats that DuckDB can parse.
SELECT set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO, YMD', true)
