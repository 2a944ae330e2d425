/*
summary = "One row: the principal axes of train, and where each record of data lies on them."
part = true
materialized = true

[parameters]
train = { type = "relation", doc = "the table that the axes are fitted on" }
data = { type = "relation", doc = "the table whose records are placed" }
components = { type = "integer", default = 2, doc = "how many axes" }
categories = { type = "integer", default = 10, doc = "categories of a column that are kept apart, the most frequent ones of train" }
*/
SELECT
  synthpriv_components(
    train_pages.pages,
    data_pages.pages,
    scales.spreads,
    {
      'columns': [each(compared, this_name)],
      'roles': [each(compared, this_role)],
      'weights': [each(compared, this_weight)],
      'category_mismatch': $category_mismatch,
      'train': label(train),
      'data': label(data),
      'components': $components,
      'categories': $categories
    }
  ) AS found
FROM pages(train) AS train_pages
CROSS JOIN pages(data) AS data_pages
CROSS JOIN scales(train) AS scales
