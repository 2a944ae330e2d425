/*
summary = "One row: the principal axes of train (with others, of both together), and where each record of data lies on them."
part = true
materialized = true

[parameters]
train = { type = "relation", doc = "the table that the axes are fitted on" }
data = { type = "relation", doc = "the table whose records are placed" }
others = { type = "relation", optional = true, doc = "a table that the axes are fitted on as well, on the scale of train" }
components = { type = "integer", default = 2, doc = "how many axes" }
categories = { type = "integer", default = 10, doc = "categories of a column that are kept apart, the most frequent ones of train" }
*/
WITH other_pages AS (
  SELECT found.pages FROM pages(others) AS found
  WHERE $others IS NOT NULL

  UNION ALL

  SELECT CAST(NULL AS BLOB[]) AS pages
  WHERE $others IS NULL
)
SELECT
  synthpriv_components(
    train_pages.pages,
    other_pages.pages,
    data_pages.pages,
    scales.spreads,
    {
      'columns': [each(compared, this_name)],
      'roles': [each(compared, this_role)],
      'weights': [each(compared, this_weight)],
      'category_mismatch': $category_mismatch,
      'train': label(train),
      'others': CASE WHEN $others IS NULL THEN '' ELSE label(others) END,
      'data': label(data),
      'components': $components,
      'categories': $categories
    }
  ) AS found
FROM pages(train) AS train_pages
CROSS JOIN other_pages
CROSS JOIN pages(data) AS data_pages
CROSS JOIN scales(train) AS scales
