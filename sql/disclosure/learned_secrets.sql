/*
summary = "For every real record and secret: whether a model trained on synthetic guesses it, whether one trained on other real people does, and by how much the first finds the truth likelier."
source = "Histogram gradient boosting of scikit-learn."
part = true
run.materialized = true
options = ["seed"]
tables = ["synthetic", "train", "holdout?"]

[parameters]
tolerance = { type = "number", default = 0.05, doc = "as in attribute_inference" }
*/
WITH holdout_pages AS (
  SELECT pages
  FROM secret_pages(holdout)
  WHERE $holdout IS NOT NULL

  UNION ALL

  SELECT CAST(NULL AS BLOB[]) AS pages
  WHERE $holdout IS NULL
)
SELECT
  hits.position AS position,
  CASE WHEN hits.record < hits.members THEN 'train' ELSE 'holdout' END AS side,
  CASE WHEN hits.record < hits.members THEN hits.record ELSE hits.record - hits.members END AS record,
  hits.hit AS hit,
  hits.others_hit AS others_hit,
  hits.usual_hit AS usual_hit,
  hits.score AS score,
  hits.sure AS sure
FROM (
  SELECT
    answer.found.members AS members,
    unnest(answer.found.secrets) AS position,
    unnest(answer.found.positions) AS record,
    unnest(answer.found.hits) AS hit,
    unnest(answer.found.others) AS others_hit,
    unnest(answer.found.usual) AS usual_hit,
    unnest(answer.found.scores) AS score,
    unnest(answer.found.sure) AS sure
  FROM (
    SELECT
      synthpriv_inference(
        synthetic_pages.pages,
        train_pages.pages,
        holdout_pages.pages,
        {
          'known': [each(compared, this_name)],
          'columns': [each(compared, this_name), each(secrets, this_name)],
          'roles': [each(compared, this_role), each(secrets, this_role)],
          'tolerance': CAST($tolerance AS DOUBLE),
          'seed': $seed,
          'synthetic': label(synthetic),
          'train': label(train),
          'holdout': CASE WHEN $holdout IS NULL THEN '' ELSE label(holdout) END,
          'threads': current_setting('threads')
        }
      ) AS found
    FROM secret_pages(synthetic) AS synthetic_pages
    CROSS JOIN secret_pages(train) AS train_pages
    CROSS JOIN holdout_pages
  ) AS answer
) AS hits
