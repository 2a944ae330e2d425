/*
summary = "The synthetic records nearest to a real one, exact copies and others separately, with the columns that agree."
part = true
tables = ["synthetic", "train"]

[parameters]
records = { type = "integer", default = 10, doc = "number of copies, and of other records" }
show_values = { type = "boolean", default = false, doc = "include the values of both records" }
*/
WITH ranked AS (
  SELECT
    found.record,
    found.neighbor,
    found.distance AS dcr,
    ratio(ratios.numerator, ratios.denominator) AS nndr,
    copies.copies,
    row_number() OVER (
      PARTITION BY copies.copies > 0
      ORDER BY found.distance, ratio(ratios.numerator, ratios.denominator), found.record
    ) AS place
  FROM nearest(queries := synthetic, reference := train, train := train, k := 1) AS found
  JOIN copies(synthetic := synthetic, train := train) AS copies ON copies.record = found.record
  LEFT JOIN nndr_parts(queries := synthetic, train := train, variant := 'second', partial := true) AS ratios
    ON ratios.record = found.record
)
SELECT
  ranked.record,
  ranked.neighbor,
  ranked.dcr,
  ranked.nndr,
  ranked.copies,
  ranked.place,
  [each(compared, invented.this_column IS NOT DISTINCT FROM originals.this_column)] AS agree,
  CASE WHEN $show_values THEN [each(compared, CAST(invented.this_column AS VARCHAR))] ELSE CAST(NULL AS VARCHAR[]) END AS invented_values,
  CASE WHEN $show_values THEN [each(compared, CAST(originals.this_column AS VARCHAR))] ELSE CAST(NULL AS VARCHAR[]) END AS original_values
FROM ranked
JOIN raw(synthetic) AS invented ON invented.record = ranked.record
JOIN raw(train) AS originals ON originals.record = ranked.neighbor
WHERE ranked.place <= $records
