/*
summary = "Values with what they look like, where telephone numbers are also told by the library phonenumbers, if it is installed."
part = true

[parameters]
given = { type = "relation", columns = ["position", "role", "value", "side", "records", "looks"], doc = "values of columns; side is 1 for those of train, which are looked at" }

[columns]
is_told = "BOOLEAN, whether the library says that it is a telephone number"
*/
-- One of the two suffices. What the plain rule takes stays one whatever the library says: numbers that it calls invalid
-- are written by people as well. What is told as something more exact, such as a date, is not asked for.
WITH listed AS (
  SELECT position, list(value) AS texts
  FROM given
  WHERE side = 1 AND role = 'categorical' AND looks IN ('phone', 'number', 'text', 'other')
    AND regexp_matches(value, '^[+(0-9][0-9 ()./+-]{5,30}( ?(x|ext[.]?|#) ?[0-9]{1,7})?$')
  GROUP BY position
),
asked AS (
  SELECT position, texts, synthpriv_phones(texts) AS found
  FROM listed
),
told AS (
  SELECT position, unnest(texts) AS value, unnest(found) AS is_told
  FROM asked
)
SELECT
  given.position,
  given.side,
  given.records,
  CASE WHEN told.is_told THEN 'phone' ELSE given.looks END AS looks,
  coalesce(told.is_told, false) AS is_told
FROM given
LEFT JOIN told ON told.position = given.position AND told.value = given.value AND given.side = 1
