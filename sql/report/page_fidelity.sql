/*
summary = "The fidelity data of the report page: measures of columns and pairs, and distributions of columns over bins and categories with at least five train records."
options = ["distance.columns", "distance.exclude", "distance.numeric", "distance.categorical", "distance.key", "types"]
reads.compares = true
part = true
order = ["item", "place", "first", "second"]
tables = ["synthetic", "train", "holdout?"]

[parameters]
bins = { type = "integer", default = 10, doc = "as in fidelity" }
fewest = { type = "integer", default = 5, doc = "minimum number of train records in a bin or category that is shown" }

[columns]
item = "VARCHAR: summary, measure, share"
place = "BIGINT; share: the order of a column's bins and categories"
first = "BIGINT; measure and share: the place of the column"
second = "BIGINT; measure: the place of the other column of a pair"
level = "VARCHAR; summary and measure, as in fidelity_summary; share: the role of the column"
measure = "VARCHAR; summary and measure, as in fidelity_summary; share: bin, category, missing or other"
columns = "VARCHAR[]"
category = "VARCHAR; share: the category, if it is one"
above = "DOUBLE; share: the lower end of a bin, NULL for the lowest one; seconds for times"
up_to = "DOUBLE; share: the upper end of a bin, NULL for the highest one"
synthetic = "DOUBLE; summary: the mean; measure: the value; share: the share of synthetic records"
train = "DOUBLE; share: of train records"
holdout = "DOUBLE; all: the same for the holdout"
*/
WITH counted AS (
  SELECT
    CAST(this_position AS BIGINT) AS position,
    CAST(this_column AS BIGINT) AS code,
    CAST(sum(synthetic) AS BIGINT) AS synthetic,
    CAST(sum(train) AS BIGINT) AS train,
    CAST(sum(holdout) AS BIGINT) AS holdout
  FROM each_column(compared, coded(synthetic, train, holdout, $bins, $bins))
  GROUP BY this_column
),
-- Values of fewer records are merged with those that train lacks: no value of an individual is shown.
folded AS (
  SELECT
    position,
    CASE WHEN code > 2 AND train < $fewest THEN 2 ELSE code END AS code,
    sum(synthetic) AS synthetic,
    sum(train) AS train,
    sum(holdout) AS holdout
  FROM counted
  GROUP BY position, CASE WHEN code > 2 AND train < $fewest THEN 2 ELSE code END
),
ends AS (
  SELECT
    CAST(this_position AS BIGINT) AS position,
    steps.code,
    CASE
      WHEN steps.code > 3
      THEN total(numbers(1, $bins), CASE WHEN steps.code = 3 + this_value THEN edges.this_edge ELSE 0 END) / this_unit
    END AS above,
    CASE
      WHEN steps.code < 2 + $bins
      THEN total(numbers(1, $bins), CASE WHEN steps.code = 2 + this_value THEN edges.this_edge ELSE 0 END) / this_unit
    END AS up_to
  FROM each_column(numeric, edges(train, $bins)) AS edges
  JOIN (SELECT DISTINCT position, code FROM folded WHERE code > 2) AS steps ON steps.position = this_position
)
SELECT
  'summary' AS item, CAST(place AS BIGINT) AS place, level, measure, worst_columns AS columns, mean AS synthetic, holdout
FROM fidelity_summary(synthetic := synthetic, train := train, holdout := holdout, bins := $bins)

UNION ALL BY NAME

SELECT
  'measure' AS item, CAST(place AS BIGINT) AS place, CAST(first AS BIGINT) AS first, CAST(second AS BIGINT) AS second,
  level, measure, columns, value AS synthetic, holdout
FROM fidelity(synthetic := synthetic, train := train, holdout := holdout, bins := $bins)

UNION ALL BY NAME

SELECT
  'share' AS item, folded.code AS place, folded.position AS first, names.role AS level,
  CASE
    WHEN folded.code = 1 THEN 'missing'
    WHEN folded.code = 2 THEN 'other'
    WHEN names.role = 'categorical' THEN 'category'
    ELSE 'bin'
  END AS measure,
  list_filter([names.name], lambda name: name IS NOT NULL) AS columns, dictionary.category, ends.above, ends.up_to,
  CAST(folded.synthetic AS DOUBLE) / nullif(sizes.synthetic, 0) AS synthetic,
  CAST(folded.train AS DOUBLE) / nullif(sizes.train, 0) AS train,
  CAST(folded.holdout AS DOUBLE) / nullif(sizes.holdout, 0) AS holdout
FROM folded
CROSS JOIN sizes(synthetic, train, holdout) AS sizes
JOIN names() AS names ON names.position = folded.position
LEFT JOIN ends ON ends.position = folded.position AND ends.code = folded.code
LEFT JOIN dictionary(synthetic, train, holdout, $bins) AS dictionary
  ON dictionary.position = folded.position AND dictionary.code = folded.code AND folded.code > 2
