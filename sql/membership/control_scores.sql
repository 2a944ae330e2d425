/*
summary = "Scores that distinguish train from the holdout without synthetic, by a classifier on the columns and distances of real records. Such differences are no leak."
source = "As learned, with the features that do not use synthetic and the values of the columns."
options = ["attack.folds", "attack.most", "seed"]
part = true
run.materialized = true
reads.compares = true
reads.vectors = true
tables = ["train", "holdout", "synthetic?"]

[parameters]
synthetic = { doc = "the synthetic table of the attack learned, if it runs too" }
*/
-- No rows if there are too few records to learn from.
SELECT
  'control' AS attack,
  hits.fold AS fold,
  CASE WHEN hits.position < hits.members THEN 'train' ELSE 'holdout' END AS side,
  CASE WHEN hits.position < hits.members THEN hits.position ELSE hits.position - hits.members END AS record,
  hits.score AS score
FROM (
  SELECT
    answer.found.members AS members,
    unnest(answer.found.positions) AS position,
    unnest(answer.found.scores) AS score,
    unnest(answer.found.folds) AS fold
  FROM (
    SELECT
      synthpriv_learned(
        CAST(NULL AS BLOB[]),
        train_pages.pages,
        holdout_pages.pages,
        CAST(NULL AS BLOB[]),
        train_keys.pages,
        holdout_keys.pages,
        train_units.pages,
        holdout_units.pages,
        CAST(NULL AS BLOB[]),
        CAST(NULL AS BLOB[]),
        {
          'folds': $folds,
          'seed': $seed,
          'evidence': false,
          'lenient': true,
          'judges': 'control',
          'most': $most,
          'real_from': $real_from,
          'vectors': $vectors,
          'columns': [each(compared, this_name)],
          'roles': [each(compared, this_role)],
          'weights': [each(compared, this_weight)],
          'texts': [each(compared, this_is_text)],
          'hints': [],
          'train': label(train),
          'holdout': label(holdout),
          'threads': current_setting('threads'),
          'memory': parse_formatted_bytes(current_setting('memory_limit'))
        }
      ) AS found
    FROM pages(train) AS train_pages
    CROSS JOIN pages(holdout) AS holdout_pages
    CROSS JOIN key_pages(train) AS train_keys
    CROSS JOIN key_pages(holdout) AS holdout_keys
    CROSS JOIN unit_pages(train) AS train_units
    CROSS JOIN unit_pages(holdout) AS holdout_units
  ) AS answer
) AS hits
WHERE NOT $controlled

UNION ALL

SELECT 'control' AS attack, fold, side, record, control AS score
FROM learned(synthetic := synthetic, train := train, holdout := holdout)
WHERE $controlled
