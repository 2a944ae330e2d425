/*
summary = "The hash of a table's contents: the same for the same rows in any order, and different for any others."
part = true

[parameters]
data = { type = "relation", doc = "the table" }

[columns]
hash = "VARCHAR, 64 hexadecimal digits (SHA-256)"
*/
-- A row is the concatenation of its values as text, each prefixed with its length; NULL is a dash. So different rows
-- have different texts. Rows are sorted by their hashes within 4,096 pieces, so that no text becomes long.
WITH rows AS (
  SELECT
    sha256(
      array_to_string(
        [
          each(
            own,
            CASE
              WHEN text_value(this_column) IS NULL THEN '-'
              ELSE CAST(length(text_value(this_column)) AS VARCHAR) || ':' || text_value(this_column)
            END
          )
        ],
        ','
      )
    ) AS hash
  FROM data
),
pieces AS (
  SELECT substr(hash, 1, 3) AS piece, sha256(string_agg(hash, '' ORDER BY hash)) AS hash
  FROM rows
  GROUP BY substr(hash, 1, 3)
)
SELECT sha256(coalesce(string_agg(hash, '' ORDER BY piece), '')) AS hash
FROM pieces
