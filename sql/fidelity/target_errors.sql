/*
summary = "The errors of forests that predict a column of the holdout: grown on train, on synthetic, and of a guess without a forest."
part = true
run.materialized = true
run.operator = "forests of a target"
tables = ["synthetic", "train", "holdout"]

[parameters]
target = { type = "name", doc = "the column that is predicted" }
*/
SELECT answer.used.trained_on AS trained_on, answer.used.error AS error
FROM (
  SELECT
    unnest(synthpriv_utility(
      synthetic_pages.pages,
      train_pages.pages,
      holdout_pages.pages,
      {
        'columns': [each(compared, this_name)],
        'roles': [each(compared, this_role)],
        'target': $target,
        'synthetic': label(synthetic),
        'train': label(train),
        'holdout': label(holdout),
        'seed': $seed,
        'trees': $trees,
        'threads': current_setting('threads')
      }
    )) AS used
  FROM pages(synthetic) AS synthetic_pages
  CROSS JOIN pages(train) AS train_pages
  CROSS JOIN pages(holdout) AS holdout_pages
) AS answer
