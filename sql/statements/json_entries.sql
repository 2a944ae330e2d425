-- The keys of objects in a column of JSON, and of which kinds their values are; without a key, what is no object. NULL is
-- text that is no JSON. The planner puts the column in the place of the first CTE.
WITH given AS (
  SELECT CAST(NULL AS JSON) AS value, true AS present
),
entries AS (
  SELECT CAST(NULL AS VARCHAR) AS key, value
  FROM given
  WHERE present AND coalesce(json_type(value), '') <> 'OBJECT'

  UNION ALL

  SELECT key, json_extract(value, '/' || replace(replace(key, '~', '~0'), '/', '~1')) AS value
  FROM (
    SELECT value, unnest(json_keys(value)) AS key
    FROM given
    WHERE json_type(value) = 'OBJECT'
  ) AS objects
)
SELECT
  key,
  CASE
    WHEN value IS NULL THEN 'broken'
    WHEN json_type(value) = 'NULL' THEN 'null'
    WHEN json_type(value) = 'BOOLEAN' THEN 'truth'
    WHEN json_type(value) IN ('BIGINT', 'UBIGINT') AND TRY_CAST(json_extract_string(value, '$') AS BIGINT) IS NOT NULL THEN
      'integer'
    WHEN json_type(value) IN ('BIGINT', 'UBIGINT', 'DOUBLE') THEN 'number'
    WHEN json_type(value) = 'ARRAY' THEN 'list'
    ELSE 'text'
  END AS kind,
  count(*) AS records
FROM entries
GROUP BY ALL
ORDER BY key NULLS FIRST, kind
LIMIT 10000
