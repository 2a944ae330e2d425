-- The same as json_entries in Spark, where the column is text with JSON. A number is a BIGINT there if it has no fraction,
-- and else, as 3.0, a DECIMAL or a DOUBLE.
WITH given AS (
  SELECT CAST(NULL AS STRING) AS value, true AS present
),
typed AS (
  SELECT
    value,
    present,
    try_parse_json(value) AS parsed,
    coalesce(schema_of_variant(try_parse_json(value)), '') LIKE 'OBJECT<%' AS is_object
  FROM given
),
entries AS (
  SELECT CAST(NULL AS STRING) AS key, parsed
  FROM typed
  WHERE present AND NOT is_object

  UNION ALL

  SELECT key, value AS parsed
  FROM (
    -- A map becomes rows of the columns key and value.
    SELECT explode(from_json(value, 'map<string,variant>'))
    FROM typed
    WHERE is_object
  ) AS objects
),
kinds AS (
  SELECT key, schema_of_variant(parsed) AS type
  FROM entries
)
SELECT
  key,
  CASE
    WHEN type IS NULL THEN 'broken'
    WHEN type = 'VOID' THEN 'null'
    WHEN type = 'BOOLEAN' THEN 'truth'
    WHEN type = 'BIGINT' THEN 'integer'
    WHEN type = 'DOUBLE' OR type LIKE 'DECIMAL(%' THEN 'number'
    WHEN type LIKE 'ARRAY<%' THEN 'list'
    ELSE 'text'
  END AS kind,
  count(*) AS records
FROM kinds
GROUP BY 1, 2
ORDER BY key NULLS FIRST, kind
LIMIT 10000
