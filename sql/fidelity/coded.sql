/*
summary = "All tables in one with whole numbers in place of values: 1 is missing, 2 outside of train or not kept apart, from 3 on the bin or the category."
part = true

[parameters]
synthetic = { type = "relation", doc = "the synthetic table" }
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
holdout = { type = "relation", optional = true, doc = "real rows that it never saw" }
bins = { type = "integer", default = 10, doc = "quantile bins of a number of train" }
categories = { type = "integer", optional = true, doc = "categories of a column that are kept apart, the most frequent ones of train; without it all" }
*/
-- A bin holds what is above an edge and not above the next; the least number of train is in the first bin, and edges that
-- are equal are one.
SELECT
  together.synthetic,
  together.train,
  together.holdout,
  each(numeric,
    CASE
      WHEN together.this_column IS NULL THEN CAST(1 AS BIGINT)
      WHEN together.this_column >= edges.this_least AND together.this_column <= edges.this_most THEN CAST(
        3 + total(numbers(1, $bins),
          CASE WHEN edges.this_edge < together.this_column OR edges.this_edge = edges.this_least THEN 1 ELSE 0 END
        ) AS BIGINT
      )
      ELSE CAST(2 AS BIGINT)
    END
  ),
  each(categorical,
    CASE
      WHEN together.this_column IS NULL THEN CAST(1 AS BIGINT)
      ELSE coalesce(this_joined.code, CAST(2 AS BIGINT))
    END
  )
FROM together(synthetic, train, holdout) AS together
CROSS JOIN edges(train, $bins) AS edges
LEFT JOIN each_joined(categorical, dictionary(synthetic, train, holdout, $categories)) AS this_joined
  ON this_joined.position = this_position AND this_joined.category = together.this_column
