/*
summary = "The train records that are most easily identified as members, and those with the most bits of agreement, with the columns in which a synthetic record agrees."
part = true
tables = ["synthetic", "train", "holdout?"]

[parameters]
named_by = { type = "names", default = ["uniques", "learned"], doc = "as in evaluate" }
records = { type = "integer", default = 10, doc = "number of records" }
show_values = { type = "boolean", default = false, doc = "include the values of both records" }
scores = { type = "relation", optional = true, columns = ["score"], doc = "as in evaluate" }
*/
WITH tested AS (
  SELECT record, q_value
  FROM named(synthetic := synthetic, train := train, holdout := holdout, attack := $named_by, scores := scores)
  WHERE $holdout IS NOT NULL

  UNION ALL

  SELECT CAST(NULL AS BIGINT) AS record, CAST(NULL AS DOUBLE) AS q_value
  WHERE $holdout IS NULL
),
ranked AS (
  SELECT
    agreed.record,
    agreed.synthetic,
    agreed.score,
    agreed.own_bits,
    agreed.bits,
    tested.q_value,
    row_number() OVER (ORDER BY coalesce(tested.q_value, 1.0), agreed.score DESC, agreed.record) AS place
  FROM agreement(synthetic := synthetic, train := train, holdout := holdout, near := 0.0) AS agreed
  LEFT JOIN tested ON tested.record = agreed.record
  WHERE agreed.side = 'train'
)
SELECT
  ranked.record,
  ranked.synthetic,
  ranked.score,
  ranked.own_bits,
  ranked.q_value,
  ranked.place,
  [each(compared, ranked.bits[this_position + 1] > 0)] AS agree,
  CASE WHEN $show_values THEN [each(compared, CAST(invented.this_column AS VARCHAR))] ELSE CAST(NULL AS VARCHAR[]) END AS invented_values,
  CASE WHEN $show_values THEN [each(compared, CAST(originals.this_column AS VARCHAR))] ELSE CAST(NULL AS VARCHAR[]) END AS original_values
FROM ranked
JOIN raw(synthetic) AS invented ON invented.record = ranked.synthetic
JOIN raw(train) AS originals ON originals.record = ranked.record
WHERE ranked.place <= $records
