/*
summary = "The synthetic records with a text that one person of train alone has, as it is or nearly, or with a run of their words."
part = true
tables = ["synthetic", "train", "holdout?"]

[columns]
record = "BIGINT, a record of synthetic"
is_near = "BOOLEAN, whether it has such a text, up to as many edits as brings back those of the holdout less than half as often"
words = "BIGINT, of the longest run of 8 words or more that one person of train alone has; NULL if there is none"
*/
WITH compared AS (
  SELECT
    column_name,
    synthpriv_near_records(
      list({'value': value, 'owner': owner, 'records': records}),
      {'column': any_value(column_name), 'least': 8, 'threads': current_setting('threads')}
    ) AS found
  FROM owned_texts(synthetic := synthetic, train := train, holdout := holdout)
  GROUP BY column_name
  -- Columns of texts; fewer than 20 values may all differ by chance.
  HAVING sum(people) >= 20 AND 2 * count(CASE WHEN people > 0 THEN 1 END) > sum(people)
),
told AS (
  SELECT
    column_name,
    unnest(found.value) AS value,
    unnest(found.is_near) AS is_near,
    unnest(found.words) AS words
  FROM compared
),
found AS (
  SELECT known.record, told.is_near, told.words
  FROM each_column(common_categorical, common_values(synthetic)) AS known
  JOIN told ON told.column_name = this_name AND told.value = CAST(this_column AS VARCHAR)
)
SELECT record, bool_or(is_near) AS is_near, max(words) AS words
FROM found
GROUP BY record
