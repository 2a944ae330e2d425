/*
summary = "For every real record and secret: whether the nearest synthetic record has the same value, and the share of those among equally near records."
part = true
tables = ["synthetic", "train", "holdout?"]

[parameters]
tolerance = { type = "number", default = 0.05, doc = "as in attribute_inference" }
*/
-- Synthetic records that are equal in all known columns form one combination; combinations are searched, with ties.
-- A combination is represented by its first record.
WITH synthetic_records AS (
  SELECT
    record,
    min(record) OVER (PARTITION BY each(compared, this_column)) AS first_record,
    each(secrets, this_column)
  FROM with_secrets(synthetic)
),
found AS (
  SELECT 'train' AS side, record, neighbor
  FROM nearest(
    queries := train, reference := distinct_records(relation := synthetic), train := train, k := 1, ties := true,
    among := 'known'
  )

  UNION ALL

  SELECT 'holdout' AS side, record, neighbor
  FROM nearest(
    queries := holdout, reference := distinct_records(relation := synthetic), train := train, k := 1, ties := true,
    among := 'known'
  )
  WHERE $holdout IS NOT NULL
),
ties AS (
  SELECT found.side, found.record, combinations.first_record
  FROM found
  JOIN distinct_records(relation := synthetic) AS combinations ON combinations.record = found.neighbor
),
real_records AS (
  SELECT 'train' AS side, record, each(secrets, this_column)
  FROM with_secrets(train)

  UNION ALL

  SELECT 'holdout' AS side, record, each(secrets, this_column)
  FROM with_secrets(holdout)
  WHERE $holdout IS NOT NULL
),
chosen AS (
  SELECT side, record, min(first_record) AS guessed
  FROM ties
  GROUP BY side, record
),
-- The values of each secret in each combination, with counts.
categories AS (
  SELECT this_position AS position, first_record, this_column AS value, count(*) AS n
  FROM each_column(secrets_categorical, synthetic_records)
  GROUP BY first_record, this_column
),
numbers AS (
  SELECT this_position AS position, first_record, this_column AS value, count(*) AS n
  FROM each_column(secrets_numeric, synthetic_records)
  GROUP BY first_record, this_column
),
ranked AS (
  SELECT
    this_name AS secret,
    this_column AS value,
    row_number() OVER (ORDER BY count(*) DESC, this_column IS NULL, this_column COLLATE C) AS place
  FROM each_column(secrets_categorical, synthetic_records)
  GROUP BY this_column
),
-- The size of a time depends on where its scale begins, so its tolerance is a share of the range.
reaches AS (
  SELECT this_name AS secret, CASE WHEN this_role = 'temporal' THEN max(this_column) - min(this_column) END AS reach
  FROM each_column(secrets_numeric, real_records)
),
medians AS (
  SELECT this_name AS secret, median(this_column) AS value
  FROM each_column(secrets_numeric, synthetic_records)
)
SELECT
  names.position,
  found.side,
  found.hit,
  found.default_hit,
  found.tie_fair
FROM (
  SELECT
    this_name AS secret,
    truth.side,
    truth.record,
    max(CASE WHEN same_value(guess.this_column, truth.this_column) THEN 1 ELSE 0 END) AS hit,
    max(CASE WHEN same_value(ranked.value, truth.this_column) THEN 1 ELSE 0 END) AS default_hit,
    CAST(sum(CASE WHEN same_value(categories.value, truth.this_column) THEN categories.n ELSE 0 END) AS DOUBLE)
      / sum(categories.n) AS tie_fair
  FROM each_column(secrets_categorical, real_records) AS truth
  JOIN chosen ON chosen.side = truth.side AND chosen.record = truth.record
  JOIN synthetic_records AS guess ON guess.record = chosen.guessed
  JOIN ranked ON ranked.secret = this_name AND ranked.place = 1
  JOIN ties ON ties.side = truth.side AND ties.record = truth.record
  JOIN categories ON categories.position = this_position AND categories.first_record = ties.first_record
  GROUP BY truth.side, truth.record

  UNION ALL

  SELECT
    this_name AS secret,
    truth.side,
    truth.record,
    max(CASE WHEN near_value(guess.this_column, truth.this_column, $tolerance, reaches.reach) THEN 1 ELSE 0 END) AS hit,
    max(CASE WHEN near_value(medians.value, truth.this_column, $tolerance, reaches.reach) THEN 1 ELSE 0 END) AS default_hit,
    CAST(sum(CASE WHEN near_value(numbers.value, truth.this_column, $tolerance, reaches.reach) THEN numbers.n ELSE 0 END) AS DOUBLE)
      / sum(numbers.n) AS tie_fair
  FROM each_column(secrets_numeric, real_records) AS truth
  JOIN chosen ON chosen.side = truth.side AND chosen.record = truth.record
  JOIN synthetic_records AS guess ON guess.record = chosen.guessed
  JOIN medians ON medians.secret = this_name
  JOIN reaches ON reaches.secret = this_name
  JOIN ties ON ties.side = truth.side AND ties.record = truth.record
  JOIN numbers ON numbers.position = this_position AND numbers.first_record = ties.first_record
  GROUP BY truth.side, truth.record
) AS found
JOIN (SELECT this_position AS position, this_name AS secret FROM each_column(secrets)) AS names
  ON names.secret = found.secret
