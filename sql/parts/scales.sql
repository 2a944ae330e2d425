/*
summary = "One row: what differences of each number are divided by, then those of the components of each vector, as a list in the order of these columns."
part = true

[parameters]
train = { type = "relation", doc = "the table that determines the scale" }
*/
SELECT CAST([each(numeric, this_spread)] AS DOUBLE[]) AS spreads
FROM scale_columns(train)
WHERE $vector_columns IS NULL AND ($scaling <> 'standard' OR $dialect <> 'duckdb')

UNION ALL

-- Where the kernel is, so are pages of train: they give what scale_columns gives, to the bit, sooner.
SELECT synthpriv_deviations(train_pages.pages, {'roles': [each(compared, this_role)]}) AS spreads
FROM pages(train) AS train_pages
WHERE $vector_columns IS NULL AND $scaling = 'standard' AND $dialect = 'duckdb'

UNION ALL

-- The components of vectors have no names in SQL: their statistics are taken of pages.
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
