/*
summary = "One row: what a forest that was grown to tell synthetic from train says of each record, out of bag."
part = true
materialized = true

[parameters]
synthetic = { type = "relation", doc = "the synthetic table" }
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
importance = { type = "boolean", default = false, doc = "ask again with each column shuffled" }
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
