-- The columns of Parquet files from their footers, without groups of columns.
SELECT
  file_name,
  name,
  type,
  field_id,
  coalesce(converted_type IN ('UTF8', 'ENUM', 'JSON'), false) OR coalesce(logical_type LIKE 'String%', false) AS is_text
FROM parquet_schema($files)
WHERE num_children IS NULL OR num_children = 0
