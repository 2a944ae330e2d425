-- One of the Parquet files of a pattern for each list of columns and types that they have.
SELECT min(file_name) AS file
FROM (
  SELECT
    file_name,
    list_sort(list(concat_ws(' ', name, type, type_length, converted_type, scale, precision, logical_type))) AS shape
  FROM parquet_schema($pattern)
  WHERE type IS NOT NULL
  GROUP BY file_name
)
GROUP BY shape
ORDER BY file
