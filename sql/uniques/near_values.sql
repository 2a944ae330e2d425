/*
summary = "For each column of texts, and each number of edits, or of words in a row: how many values (or persons) of train and of the holdout have one that nobody else has, and how many come back."
part = true
run.few = true
tables = ["synthetic", "train", "holdout?"]

[parameters]
near = { type = "boolean", own = true, default = false, doc = "ask for texts that are nearly equal" }
phrase = { type = "integer", optional = true, doc = "ask for runs of so many words" }
*/
WITH compared AS (
  SELECT
    column_name,
    synthpriv_near(
      list({'value': value, 'owner': owner, 'records': records}),
      {
        'column': any_value(column_name),
        'near': $near,
        'phrase': CAST($phrase AS BIGINT),
        'threads': current_setting('threads')
      }
    ) AS found
  FROM owned_texts(synthetic := synthetic, train := train, holdout := holdout)
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
