/*
summary = "One table with whole numbers in place of values: 1 is missing, 2 outside of train or not kept apart, from 3 on the bin or the category."
part = true

[parameters]
relation = { type = "relation", doc = "the table" }
train = { type = "relation", doc = "the table whose quantiles the bins are" }
words = { type = "relation", doc = "the numbers of categories, see dictionary" }
bins = { type = "integer", default = 10, doc = "quantile bins of a number of train" }
place = { type = "integer", doc = "which table it is: 1 synthetic, 2 train, 3 the holdout" }
*/
-- A bin holds what is above an edge and not above the next; the least number of train is in the first bin, and edges that
-- are equal are one.
SELECT
  CASE WHEN $place = 1 THEN 1 ELSE 0 END AS synthetic,
  CASE WHEN $place = 2 THEN 1 ELSE 0 END AS train,
  CASE WHEN $place = 3 THEN 1 ELSE 0 END AS holdout,
  each(numeric,
    CASE
      WHEN rows.this_column IS NULL THEN CAST(1 AS BIGINT)
      WHEN rows.this_column >= edges.this_least AND rows.this_column <= edges.this_most THEN CAST(
        3 + total(numbers(1, $bins),
          CASE WHEN edges.this_edge < rows.this_column OR edges.this_edge = edges.this_least THEN 1 ELSE 0 END
        ) AS BIGINT
      )
      ELSE CAST(2 AS BIGINT)
    END
  ),
  each(categorical,
    CASE
      WHEN rows.this_column IS NULL THEN CAST(1 AS BIGINT)
      ELSE coalesce(this_joined.code, CAST(2 AS BIGINT))
    END
  )
FROM encoded(relation) AS rows
CROSS JOIN edges(train, $bins) AS edges
LEFT JOIN each_joined(categorical, words) AS this_joined
  ON this_joined.position = this_position AND this_joined.category = rows.this_column
