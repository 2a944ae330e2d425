/*
summary = "One row: the principal axes of train (or of train and others together), and the coordinates of each record of data."
part = true
run.materialized = true
tables = ["train"]

[parameters]
train = { doc = "the table that the axes are fitted on" }
data = { type = "relation", doc = "the table whose records are projected" }
others = { type = "relation", optional = true, doc = "a second table that the axes are fitted on, with the scale of train" }
components = { type = "integer", default = 2, doc = "number of axes" }
categories = { type = "integer", default = 10, doc = "number of categories per column that are encoded separately: the most frequent ones of train" }
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
