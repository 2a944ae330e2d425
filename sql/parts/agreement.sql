/*
summary = "For every real record, the synthetic record that agrees with it in the most bits, where rare values count more."
source = "Fellegi and Sunter, A theory for record linkage, Journal of the American Statistical Association 64 (1969), with weights by value."
options = ["attack.near"]
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
  SELECT pages
  FROM pages(holdout)
  WHERE $holdout IS NOT NULL

  UNION ALL

  SELECT CAST(NULL AS BLOB[]) AS pages
  WHERE $holdout IS NULL
),
people AS (
  SELECT list(asked ORDER BY asked) AS asked
  FROM asked(train := train, holdout := holdout)
  WHERE $most_asked IS NOT NULL AND $holdout IS NOT NULL

  UNION ALL

  SELECT CAST(NULL AS BIGINT[]) AS asked
  WHERE $most_asked IS NULL OR $holdout IS NULL
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
        people.asked,
        {
          'near': $near,
          'by_column': $by_column,
          'columns': [each(compared, this_name)],
          'roles': [each(compared, this_role)],
          'units': [each(compared, this_unit)],
          'noted': $noted,
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
    CROSS JOIN holdout_pages
    CROSS JOIN people
  ) AS answer
) AS hits
