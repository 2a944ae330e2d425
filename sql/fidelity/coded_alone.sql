/*
summary = "One table with values replaced by integers: 1 is missing, 2 out of the range of train or any other category, from 3 the bin or category."
part = true
tables = ["relation", "train"]

[parameters]
relation = { doc = "the table" }
train = { doc = "the table whose quantiles define the bins" }
words = { type = "relation", doc = "the codes of categories, see dictionary" }
bins = { type = "integer", default = 10, doc = "number of quantile bins of train for numbers" }
place = { type = "integer", doc = "the number of the table: 1 synthetic, 2 train, 3 holdout" }
*/
-- A bin is open below and closed above; the minimum of train is in the first bin, and equal edges are merged.
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
