-- What the footers of Parquet files say of their columns; groups of columns are left out.
SELECT
  file_name,
  name,
  type,
  field_id,
  coalesce(converted_type IN ('UTF8', 'ENUM', 'JSON'), false) OR coalesce(logical_type LIKE 'String%', false) AS is_text
FROM parquet_schema($files)
WHERE num_children IS NULL OR num_children = 0
