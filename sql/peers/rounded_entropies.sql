/*
summary = "The column weights of SynthEval's identifiability risk: 1 / entropy of the rounded values in train."
part = true
options = ["distance.columns", "distance.exclude", "distance.numeric", "distance.categorical", "distance.key", "types"]
reads.compares = true
tables = ["synthetic", "train", "holdout?"]

[columns]
column_name = "VARCHAR"
weight = "DOUBLE; for categories, scaled so that their mean is 1"
*/
WITH everybody AS (
  SELECT 0 AS real, each(compared, this_column) FROM encoded(synthetic)

  UNION ALL

  SELECT 1 AS real, each(compared, this_column) FROM encoded(train)

  UNION ALL

  SELECT 0 AS real, each(compared, this_column) FROM encoded(holdout)
  WHERE $holdout IS NOT NULL
),
ranges AS (
  SELECT this_position AS position, min(this_column) AS least, max(this_column) - min(this_column) AS whole
  FROM each_column(numeric, everybody)
),
-- Numbers are scaled to [0, 1] by the range of all tables, and then rounded: a half becomes 0.
rounded AS (
  SELECT this_position AS position, CASE WHEN everybody.this_column - ranges.least > 0.5 * ranges.whole THEN '1' ELSE '0' END AS value
  FROM each_column(numeric, everybody) AS everybody
  JOIN ranges ON ranges.position = this_position
  WHERE everybody.real = 1

  UNION ALL

  SELECT this_position AS position, this_column AS value
  FROM each_column(categorical, everybody)
  WHERE real = 1
),
counted AS (
  SELECT position, value, CAST(count(*) AS DOUBLE) AS records
  FROM rounded
  GROUP BY position, value
),
shares AS (
  SELECT position, records / sum(records) OVER (PARTITION BY position) AS share
  FROM counted
),
entropies AS (
  SELECT position, -exact_sum(share * ln(share)) AS entropy
  FROM shares
  GROUP BY position
),
weighed AS (
  SELECT names.position, names.name, names.role, 1 / (coalesce(entropies.entropy, 0.0) + 1e-16) AS weight
  FROM names() AS names
  LEFT JOIN entropies ON entropies.position = names.position
)
SELECT
  name AS column_name,
  CASE
    WHEN role = 'categorical' THEN weight / avg(weight) OVER (PARTITION BY CASE WHEN role = 'categorical' THEN 1 ELSE 0 END)
    ELSE weight
  END AS weight
FROM weighed
