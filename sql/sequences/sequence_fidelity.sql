/*
summary = "How well synthetic preserves sequences: rows per person, transitions between categories, and autocorrelations of numbers."
source = "Complements of the Kolmogorov-Smirnov distance of sequence lengths and of the total variation distance of transitions; autocorrelation at lag 1: Box and Jenkins, Time Series Analysis (1970)."
options = ["distance.columns", "distance.exclude", "distance.numeric", "distance.categorical", "unit.unit"]
reads.units = ["synthetic", "train", "holdout"]
reads.compares = true
order = ["place", "position"]
example = { synthetic = "synthetic", train = "train", holdout = "holdout", unit = "city", order = "n", exclude = ["id"] }
tables = ["synthetic", "train", "holdout?"]

[parameters]
synthetic = { doc = "the synthetic rows" }
order = { type = "name", own = true, optional = true, doc = "the column of time or position that orders the rows of a person. Required, like unit; it is not compared" }

[columns]
level = "VARCHAR: persons, or column"
columns = "VARCHAR[], the name of the column; empty for persons"
measure = "VARCHAR: length_similarity (rows of a person), transition_similarity (pairs of a category and the one after it), lag_similarity (the correlation of a number or a time with the one after it)"
value = "DOUBLE, from 0 to 1 (identical); NULL if undefined, such as the correlation of a constant"
holdout = "DOUBLE, the same for the holdout; NULL without one"
*/
WITH lengths_alone AS (
  SELECT 1 AS side, length, persons FROM sequence_lengths(synthetic)

  UNION ALL

  SELECT 2 AS side, length, persons FROM sequence_lengths(train)

  UNION ALL

  SELECT 3 AS side, length, persons FROM sequence_lengths(holdout)
  WHERE $holdout IS NOT NULL
),
lengths AS (
  SELECT
    length,
    CAST(sum(CASE WHEN side = 1 THEN persons ELSE 0 END) AS DOUBLE) AS synthetic,
    CAST(sum(CASE WHEN side = 2 THEN persons ELSE 0 END) AS DOUBLE) AS train,
    CAST(sum(CASE WHEN side = 3 THEN persons ELSE 0 END) AS DOUBLE) AS holdout
  FROM lengths_alone
  GROUP BY length
),
shares AS (
  SELECT
    sum(synthetic) OVER up_to / nullif(sum(synthetic) OVER (), 0) AS synthetic,
    sum(train) OVER up_to / nullif(sum(train) OVER (), 0) AS train,
    sum(holdout) OVER up_to / nullif(sum(holdout) OVER (), 0) AS holdout
  FROM lengths
  WINDOW up_to AS (ORDER BY length ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
),
transitions_alone AS (
  SELECT 1 AS side, position, category, next_category, records FROM transitions(synthetic)

  UNION ALL

  SELECT 2 AS side, position, category, next_category, records FROM transitions(train)

  UNION ALL

  SELECT 3 AS side, position, category, next_category, records FROM transitions(holdout)
  WHERE $holdout IS NOT NULL
),
transitions AS (
  SELECT
    position,
    CAST(sum(CASE WHEN side = 1 THEN records ELSE 0 END) AS DOUBLE) AS synthetic,
    CAST(sum(CASE WHEN side = 2 THEN records ELSE 0 END) AS DOUBLE) AS train,
    CAST(sum(CASE WHEN side = 3 THEN records ELSE 0 END) AS DOUBLE) AS holdout
  FROM transitions_alone
  GROUP BY position, category, next_category
),
sizes AS (
  SELECT position, sum(synthetic) AS synthetic, sum(train) AS train, sum(holdout) AS holdout
  FROM transitions
  GROUP BY position
),
-- Integers, so that sums do not depend on the order of addition.
variation AS (
  SELECT
    transitions.position,
    sum(abs(transitions.synthetic * sizes.train - transitions.train * sizes.synthetic))
      / nullif(2 * max(sizes.synthetic) * max(sizes.train), 0) AS synthetic,
    sum(abs(transitions.holdout * sizes.train - transitions.train * sizes.holdout))
      / nullif(2 * max(sizes.holdout) * max(sizes.train), 0) AS holdout
  FROM transitions
  JOIN sizes ON sizes.position = transitions.position
  GROUP BY transitions.position
),
lags_alone AS (
  SELECT 1 AS side, position, correlation FROM changes_in_time(synthetic)

  UNION ALL

  SELECT 2 AS side, position, correlation FROM changes_in_time(train)

  UNION ALL

  SELECT 3 AS side, position, correlation FROM changes_in_time(holdout)
  WHERE $holdout IS NOT NULL
),
lags AS (
  SELECT
    position,
    max(CASE WHEN side = 1 THEN correlation END) AS synthetic,
    max(CASE WHEN side = 2 THEN correlation END) AS train,
    max(CASE WHEN side = 3 THEN correlation END) AS holdout
  FROM lags_alone
  GROUP BY position
),
found AS (
  SELECT
    1 AS place,
    CAST(NULL AS BIGINT) AS position,
    'length_similarity' AS measure,
    1 - max(abs(synthetic - train)) AS value,
    1 - max(abs(holdout - train)) AS holdout
  FROM shares

  UNION ALL

  SELECT
    CASE WHEN names.role = 'categorical' THEN 2 ELSE 3 END,
    names.position,
    CASE WHEN names.role = 'categorical' THEN 'transition_similarity' ELSE 'lag_similarity' END,
    CASE WHEN names.role = 'categorical' THEN 1 - variation.synthetic ELSE 1 - abs(lags.synthetic - lags.train) / 2 END,
    CASE WHEN names.role = 'categorical' THEN 1 - variation.holdout ELSE 1 - abs(lags.holdout - lags.train) / 2 END
  FROM names() AS names
  LEFT JOIN variation ON variation.position = names.position
  LEFT JOIN lags ON lags.position = names.position
)
SELECT
  found.place,
  found.position,
  CASE WHEN found.position IS NULL THEN 'persons' ELSE 'column' END AS level,
  list_filter([names.name], lambda name: name IS NOT NULL) AS columns,
  found.measure,
  found.value,
  found.holdout
FROM found
LEFT JOIN names() AS names ON names.position = found.position
