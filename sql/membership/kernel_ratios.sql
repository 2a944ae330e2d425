/*
summary = "For every real record, how dense synthetic records are around it, relative to other real records, in all columns at once."
source = "Density ratio as a membership score: van Breugel et al., AISTATS 2023; kernels of mixed columns: Aitchison and Aitken, Biometrika 63 (1976)."
options = ["attack.bandwidth"]
part = true
run.materialized = true
tables = ["synthetic", "train", "holdout?"]
*/
-- side is 'train' or 'holdout'; synthetic the record with the largest product of factors, the smallest among ties.
WITH holdout_pages AS (
  SELECT pages
  FROM pages(holdout)
  WHERE $holdout IS NOT NULL

  UNION ALL

  SELECT CAST(NULL AS BLOB[]) AS pages
  WHERE $holdout IS NULL
)
SELECT
  CASE WHEN hits.position < hits.members THEN 'train' ELSE 'holdout' END AS side,
  CASE WHEN hits.position < hits.members THEN hits.position ELSE hits.position - hits.members END AS record,
  hits.score AS score,
  hits.synthetic AS synthetic
FROM (
  SELECT
    answer.found.members AS members,
    generate_subscripts(answer.found.scores, 1) - 1 AS position,
    unnest(answer.found.scores) AS score,
    unnest(answer.found.synthetic) AS synthetic
  FROM (
    SELECT
      synthpriv_kernel(
        synthetic_pages.pages,
        train_pages.pages,
        holdout_pages.pages,
        {
          'bandwidth': CAST($bandwidth AS DOUBLE[]),
          'columns': [each(compared, this_name)],
          'roles': [each(compared, this_role)],
          'weights': [each(compared, this_weight)],
          'synthetic': label(synthetic),
          'train': label(train),
          'holdout': CASE WHEN $holdout IS NULL THEN '' ELSE label(holdout) END,
          'threads': current_setting('threads')
        }
      ) AS found
    FROM pages(synthetic) AS synthetic_pages
    CROSS JOIN pages(train) AS train_pages
    CROSS JOIN holdout_pages
  ) AS answer
) AS hits
