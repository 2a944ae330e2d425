-- An array as the set of its elements, as text: in one order, each once, without those that are null.
SELECT '[' || coalesce(string_agg(CAST(to_json(element) AS text), ',' ORDER BY element COLLATE "C"), '') || ']'
FROM (
  SELECT DISTINCT element
  FROM jsonb_array_elements_text(value) AS elements (element)
  WHERE element IS NOT NULL
) AS different
