-- The same as json_entries in PostgreSQL, where the column is jsonb.
WITH given AS (
  SELECT CAST(NULL AS jsonb) AS value, true AS present
),
entries AS (
  SELECT CAST(NULL AS text) AS key, value
  FROM given
  WHERE present AND jsonb_typeof(value) <> 'object'

  UNION ALL

  SELECT entry.key, entry.value
  FROM given
  CROSS JOIN LATERAL jsonb_each(CASE WHEN jsonb_typeof(given.value) = 'object' THEN given.value END) AS entry
)
SELECT
  key,
  CASE jsonb_typeof(value)
    WHEN 'null' THEN 'null'
    WHEN 'boolean' THEN 'truth'
    WHEN 'number' THEN CASE WHEN CAST(value AS text) ~ '^-?[0-9]{1,18}$' THEN 'integer' ELSE 'number' END
    WHEN 'array' THEN 'list'
    ELSE 'text'
  END AS kind,
  count(*) AS records
FROM entries
GROUP BY 1, 2
ORDER BY key COLLATE "C" NULLS FIRST, kind
LIMIT 10000
