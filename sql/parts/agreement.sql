/*
summary = "For every real record, the synthetic record that agrees with it in the most bits, where rare values count more."
source = "Fellegi and Sunter, A theory for record linkage, Journal of the American Statistical Association 64 (1969), with weights by value."
options = ["attack.near", "internal.most_agreeing", "seed"]
part = true
run.materialized = true
run.operator = "search by agreement"
tables = ["synthetic", "train", "holdout?"]

[parameters]
holdout = { doc = "real rows that it never saw; they count for the frequency of values" }
*/
-- side is 'train' or 'holdout'; score the bits; synthetic the responsible record, the smallest among ties; own_bits the
-- bits of an exact copy; bits those of each compared column in order, 0 if it does not agree, and NULL if the call does
-- not read them.
WITH holdout_pages AS (
  SELECT pages, CAST(NULL AS BLOB[]) AS units
  FROM pages(holdout)
  WHERE $holdout IS NOT NULL AND $most_agreeing IS NULL

  UNION ALL

  SELECT real_pages.pages, real_units.pages AS units
  FROM pages(holdout) AS real_pages
  CROSS JOIN unit_pages(holdout) AS real_units
  WHERE $holdout IS NOT NULL AND $most_agreeing IS NOT NULL

  UNION ALL

  SELECT CAST(NULL AS BLOB[]) AS pages, CAST(NULL AS BLOB[]) AS units
  WHERE $holdout IS NULL
),
-- Only a sample of persons needs to know whose each record is.
train_units AS (
  SELECT pages
  FROM unit_pages(train)
  WHERE $most_agreeing IS NOT NULL

  UNION ALL

  SELECT CAST(NULL AS BLOB[]) AS pages
  WHERE $most_agreeing IS NULL
)
SELECT
  CASE WHEN hits.position < hits.members THEN 'train' ELSE 'holdout' END AS side,
  CASE WHEN hits.position < hits.members THEN hits.position ELSE hits.position - hits.members END AS record,
  hits.score AS score,
  hits.synthetic AS synthetic,
  hits.own_bits AS own_bits,
  hits.bits AS bits
FROM (
  SELECT
    answer.found.members AS members,
    unnest(answer.found.positions) AS position,
    unnest(answer.found.scores) AS score,
    unnest(answer.found.synthetic) AS synthetic,
    unnest(answer.found.own_bits) AS own_bits,
    unnest(answer.found.bits) AS bits
  FROM (
    SELECT
      synthpriv_agreement(
        synthetic_pages.pages,
        train_pages.pages,
        holdout_pages.pages,
        train_units.pages,
        holdout_pages.units,
        {
          'near': $near,
          'by_column': $by_column,
          'columns': [each(compared, this_name)],
          'roles': [each(compared, this_role)],
          'units': [each(compared, this_unit)],
          'noted': $noted,
          'most': $most_agreeing,
          'seed': $seed,
          'weights': [each(compared, this_weight)],
          'texts': [each(compared, this_is_text)],
          'synthetic': label(synthetic),
          'train': label(train),
          'holdout': CASE WHEN $holdout IS NULL THEN '' ELSE label(holdout) END,
          'threads': current_setting('threads'),
          'memory': parse_formatted_bytes(current_setting('memory_limit'))
        }
      ) AS found
    FROM pages(synthetic) AS synthetic_pages
    CROSS JOIN pages(train) AS train_pages
    CROSS JOIN train_units
    CROSS JOIN holdout_pages
  ) AS answer
) AS hits
