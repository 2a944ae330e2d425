/*
summary = "The score of every real record under the attack learned, without releases."
options = ["attack.folds", "attack.most", "attack.hints", "seed"]
part = true
run.materialized = true
reads.compares = true
reads.vectors = true
run.operator = "learning"
tables = ["synthetic", "train", "holdout?"]

[parameters]
evidence = { type = "boolean", default = false, doc = "return the features that raise each score" }
*/
SELECT
  CASE WHEN hits.position < hits.members THEN 'train' ELSE 'holdout' END AS side,
  CASE WHEN hits.position < hits.members THEN hits.position ELSE hits.position - hits.members END AS record,
  hits.score AS score,
  hits.synthetic AS synthetic,
  hits.fold AS fold,
  hits.evidence AS evidence,
  hits.control AS control,
  CAST(NULL AS VARCHAR) AS release
FROM (
  SELECT
    answer.found.members AS members,
    unnest(answer.found.positions) AS position,
    unnest(answer.found.scores) AS score,
    unnest(answer.found.synthetic) AS synthetic,
    unnest(answer.found.folds) AS fold,
    unnest(answer.found.evidence) AS evidence,
    unnest(answer.found.control) AS control
  FROM (
    SELECT
      synthpriv_learned(
        synthetic_pages.pages,
        train_pages.pages,
        holdout_pages.pages,
        synthetic_keys.pages,
        train_keys.pages,
        holdout_keys.pages,
        train_units.pages,
        holdout_units.pages,
        train_hints.pages,
        holdout_hints.pages,
        {
          'folds': $folds,
          'seed': $seed,
          'evidence': $evidence,
          'lenient': $lenient,
          'judges': CASE WHEN $controlled THEN 'both' ELSE 'members' END,
          'most': $most,
          'real_from': $real_from,
          'vectors': $vectors,
          'columns': [each(compared, this_name)],
          'roles': [each(compared, this_role)],
          'weights': [each(compared, this_weight)],
          'texts': [each(compared, this_is_text)],
          'hints': [each(hints, this_name)],
          'names': CAST(NULL AS VARCHAR[]),
          'synthetic': label(synthetic),
          'train': label(train),
          'holdout': label(holdout),
          'threads': current_setting('threads'),
          'memory': parse_formatted_bytes(current_setting('memory_limit'))
        }
      ) AS found
    FROM pages(synthetic) AS synthetic_pages
    CROSS JOIN pages(train) AS train_pages
    CROSS JOIN pages(holdout) AS holdout_pages
    CROSS JOIN key_pages(synthetic) AS synthetic_keys
    CROSS JOIN key_pages(train) AS train_keys
    CROSS JOIN key_pages(holdout) AS holdout_keys
    CROSS JOIN unit_pages(train) AS train_units
    CROSS JOIN unit_pages(holdout) AS holdout_units
    CROSS JOIN hint_pages(train) AS train_hints
    CROSS JOIN hint_pages(holdout) AS holdout_hints
  ) AS answer
) AS hits
