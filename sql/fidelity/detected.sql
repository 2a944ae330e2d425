/*
summary = "One row: the out-of-bag predictions of a forest that distinguishes synthetic from train."
part = true
run.materialized = true
tables = ["synthetic", "train"]

[parameters]
importance = { type = "boolean", default = false, doc = "predict again with each column shuffled" }
*/
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
