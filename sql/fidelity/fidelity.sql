/*
summary = "How well synthetic preserves the distributions of train: for each column and each pair of columns, compared with fresh real rows."
source = "Complements of the Kolmogorov-Smirnov and total variation distances, correlation and contingency similarity: SDMetrics; Wasserstein-1: Vallender, Theory of Probability 18 (1974)."
options = ["distance.columns", "distance.exclude", "distance.numeric", "distance.categorical", "distance.key"]
reads.compares = true
order = ["place", "first", "second"]
example = { synthetic = "synthetic", train = "train", holdout = "holdout", exclude = ["id"], bins = 3 }
tables = ["synthetic", "train", "holdout?"]

[parameters]
bins = { type = "integer", default = 10, minimum = 1, maximum = 500, doc = "number of quantile bins of train for numbers that are paired with categories" }
children = { type = "families", optional = true, doc = "child tables by name, each as [synthetic, train, holdout, key]; a key visits.visit names children of the table visits. In turn: the parents, aggregates of their children (flatten), both, and each child joined with its parent; the first column, part, says which" }

[columns]
level = "VARCHAR: column or pair"
columns = "VARCHAR[], one name or two"
measure = "VARCHAR: ks_complement and wasserstein (numbers and times), tv_complement (categories), correlation_similarity (two numbers), mixed_similarity (a number in bins and a category), contingency_similarity (two categories; those beyond the 262,141 most frequent ones count as one)"
value = "DOUBLE, from 0 to 1 (identical); wasserstein: a distance in units of the range of train, 0 if identical; NULL if undefined, such as a correlation with a constant, or a distance over a range that exceeds DOUBLE"
holdout = "DOUBLE, the same for the holdout; NULL without one"
*/
WITH numbers AS (
  SELECT
    names.position,
    CASE WHEN sizes.synthetic > 0 AND sizes.train > 0 THEN coalesce(s.kolmogorov, 0.0) END AS kolmogorov,
    CASE
      WHEN sizes.synthetic > 0 AND sizes.train > 0 THEN CASE WHEN s.position IS NULL THEN 0.0 ELSE s.wasserstein END
    END AS wasserstein,
    CASE WHEN sizes.holdout > 0 AND sizes.train > 0 THEN coalesce(h.kolmogorov, 0.0) END AS holdout_kolmogorov,
    CASE
      WHEN sizes.holdout > 0 AND sizes.train > 0 THEN CASE WHEN h.position IS NULL THEN 0.0 ELSE h.wasserstein END
    END AS holdout_wasserstein
  FROM names() AS names
  CROSS JOIN sizes(synthetic, train, holdout) AS sizes
  LEFT JOIN number_differences(synthetic, train, holdout) AS s ON s.position = names.position AND s.side = 'synthetic'
  LEFT JOIN number_differences(synthetic, train, holdout) AS h ON h.position = names.position AND h.side = 'holdout'
  WHERE names.role <> 'categorical'
),
found AS (
  SELECT
    1 AS place, position AS first, CAST(NULL AS BIGINT) AS second, 'ks_complement' AS measure,
    1 - kolmogorov AS value, 1 - holdout_kolmogorov AS holdout
  FROM numbers

  UNION ALL

  SELECT 3, position, NULL, 'wasserstein', wasserstein, holdout_wasserstein
  FROM numbers

  UNION ALL

  SELECT 2, position, NULL, 'tv_complement', 1 - distance, 1 - holdout_distance
  FROM category_differences(synthetic, train, holdout)

  UNION ALL

  SELECT
    4, first, second, 'correlation_similarity',
    1 - abs(synthetic - train) / 2, 1 - abs(holdout - train) / 2
  FROM correlations(synthetic, train, holdout)

  UNION ALL

  SELECT
    CASE WHEN one.role = 'categorical' AND two.role = 'categorical' THEN 6 ELSE 5 END,
    variation.first,
    variation.second,
    CASE WHEN one.role = 'categorical' AND two.role = 'categorical' THEN 'contingency_similarity' ELSE 'mixed_similarity' END,
    1 - variation.distance,
    1 - variation.holdout_distance
  FROM variation(synthetic, train, holdout, 2, $bins) AS variation
  JOIN names() AS one ON one.position = variation.first
  JOIN names() AS two ON two.position = variation.second
  WHERE one.role = 'categorical' OR two.role = 'categorical'
)
SELECT
  found.place,
  found.first,
  found.second,
  CASE WHEN found.second IS NULL THEN 'column' ELSE 'pair' END AS level,
  list_filter([one.name, two.name], lambda name: name IS NOT NULL) AS columns,
  found.measure,
  found.value,
  found.holdout
FROM found
JOIN names() AS one ON one.position = found.first
LEFT JOIN names() AS two ON two.position = found.second
