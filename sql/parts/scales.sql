/*
summary = "One row: a list of the scales of numeric columns, then of vector columns, by which differences are divided."
part = true
tables = ["train"]

[parameters]
train = { doc = "the table that determines the scale" }
*/
SELECT CAST([each(numeric, this_spread)] AS DOUBLE[]) AS spreads
FROM scale_columns(train)
WHERE $vector_columns IS NULL AND ($scaling <> 'standard' OR $dialect <> 'duckdb')

UNION ALL

-- Where the kernel runs, pages of train are available: the kernel computes the values of scale_columns faster, to the
-- bit.
SELECT synthpriv_deviations(train_pages.pages, {'roles': [each(compared, this_role)]}) AS spreads
FROM pages(train) AS train_pages
WHERE $vector_columns IS NULL AND $scaling = 'standard' AND $dialect = 'duckdb'

UNION ALL

-- The components of vectors have no names in SQL: their statistics come from pages.
SELECT
  list_concat(
    CAST([each(numeric, numbers.this_spread)] AS DOUBLE[]),
    synthpriv_spreads(
      train_pages.pages,
      {
        'scaling': $scaling,
        'vectors': $vectors,
        'columns': [each(compared, this_name)],
        'roles': [each(compared, this_role)],
        'relation': label(train)
      }
    )
  ) AS spreads
FROM scale_columns(train) AS numbers
CROSS JOIN pages(train) AS train_pages
WHERE $vector_columns IS NOT NULL
