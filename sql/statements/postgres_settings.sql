-- For this transaction only: text formats that DuckDB can parse.
SELECT
  set_config('TimeZone', 'UTC', true),
  set_config('DateStyle', 'ISO, YMD', true),
  set_config('IntervalStyle', 'postgres', true),
  set_config('bytea_output', 'hex', true),
  set_config('extra_float_digits', '1', true)
