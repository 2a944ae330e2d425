/*
summary = "For each column of texts, and each number of edits, or of words in a row: how many values (or persons) of train and of the holdout have one that nobody else has, and how many come back."
part = true
few = true
tables = ["synthetic", "train", "holdout?"]

[parameters]
near = { type = "boolean", own = true, default = false, doc = "ask for texts that are nearly equal" }
phrase = { type = "integer", optional = true, doc = "ask for runs of so many words" }
*/
WITH real_people AS (
  SELECT side, record, person
  FROM real_persons(train := train, holdout := holdout)
),
together AS (
  SELECT people.person, 0 AS of_holdout, each(common_categorical, known.this_column)
  FROM common_values(train) AS known
  JOIN real_people AS people ON people.side = 'train' AND people.record = known.record

  UNION ALL

  SELECT people.person, 1 AS of_holdout, each(common_categorical, known.this_column)
  FROM common_values(holdout) AS known
  JOIN real_people AS people ON people.side = 'holdout' AND people.record = known.record
  WHERE $holdout IS NOT NULL

  UNION ALL

  SELECT CAST(NULL AS BIGINT) AS person, 0 AS of_holdout, each(common_categorical, this_column)
  FROM common_values(synthetic)
),
-- Who is in both tables is two people here, as for equal values. -1: several people have the value, -2: nobody has.
texts AS (
  SELECT
    this_name AS column_name,
    max(typeof(this_column)) AS type,
    CAST(this_column AS VARCHAR) AS value,
    CASE
      WHEN count(person) = 0 THEN -2
      WHEN min(2 * person + of_holdout) = max(2 * person + of_holdout) THEN min(2 * person + of_holdout)
      ELSE -1
    END AS owner,
    count(*) - count(person) AS records
  FROM each_column(common_categorical, together)
  WHERE this_column IS NOT NULL
  GROUP BY this_column
),
compared AS (
  SELECT
    column_name,
    synthpriv_near(
      list({'value': value, 'owner': owner, 'records': records}),
      {
        'column': any_value(column_name),
        'is_text': max(type) = 'VARCHAR',
        'near': $near,
        'phrase': CAST($phrase AS BIGINT),
        'threads': current_setting('threads')
      }
    ) AS found
  FROM texts
  GROUP BY column_name
)
SELECT
  column_name,
  unnest(found.what) AS what,
  unnest(found.length) AS length,
  unnest(found.train) AS train,
  unnest(found.replayed) AS replayed,
  unnest(found.holdout) AS holdout,
  unnest(found.holdout_replayed) AS holdout_replayed,
  unnest(found.records) AS records
FROM compared
