/*
summary = "The out-of-bag scores of a forest that distinguishes synthetic from train, and the importance of each column, both by position: first records of train, then synthetic ones."
part = true
run.materialized = true
run.operator = "forests of two tables"
tables = ["synthetic", "train"]

[parameters]
importance = { type = "boolean", default = false, doc = "predict again with each column shuffled" }
*/
-- The shorter of the two lists is filled up with NULL: score beyond the last record, importance beyond the last column.
SELECT
  answers.position,
  answers.score,
  answers.importance,
  answers.position < answers.of_train AS is_real
FROM (
  SELECT
    answer.found.of_train AS of_train,
    unnest(range(greatest(len(answer.found.scores), len(answer.found.importance)))) AS position,
    unnest(answer.found.scores) AS score,
    unnest(answer.found.importance) AS importance
  FROM (
    SELECT
      synthpriv_detection(
        synthetic_pages.pages,
        train_pages.pages,
        {
          'columns': [each(compared, this_name)],
          'roles': [each(compared, this_role)],
          'synthetic': label(synthetic),
          'train': label(train),
          'importance': $importance,
          'seed': $seed,
          'trees': $trees,
          'threads': current_setting('threads')
        }
      ) AS found
    FROM pages(synthetic) AS synthetic_pages
    CROSS JOIN pages(train) AS train_pages
  ) AS answer
) AS answers
