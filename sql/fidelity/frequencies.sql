/*
summary = "How often each category of each column occurs in each table; missing is a category of its own."
part = true
materialized = true

[parameters]
synthetic = { type = "relation", doc = "the synthetic table" }
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
holdout = { type = "relation", optional = true, doc = "real rows that it never saw" }
*/
SELECT
  this_position AS position,
  this_column AS category,
  CAST(sum(synthetic) AS BIGINT) AS synthetic,
  CAST(sum(train) AS BIGINT) AS train,
  CAST(sum(holdout) AS BIGINT) AS holdout
FROM each_column(categorical, together(synthetic, train, holdout))
GROUP BY this_column
