/*
summary = "For each column of texts, and each number of edits, or of words in a row: how many values (or persons) of train and of the holdout have one that nobody else has, and how many come back."
part = true
run.few = true
run.operator = "texts of columns"
tables = ["synthetic", "train", "holdout?"]

[parameters]
near = { type = "boolean", own = true, default = false, doc = "ask for texts that are nearly equal" }
phrase = { type = "integer", optional = true, doc = "ask for runs of so many words" }
*/
SELECT
  answer.column_name,
  unnest(answer.found.what) AS what,
  unnest(answer.found.length) AS length,
  unnest(answer.found.train) AS train,
  unnest(answer.found.replayed) AS replayed,
  unnest(answer.found.holdout) AS holdout,
  unnest(answer.found.holdout_replayed) AS holdout_replayed,
  unnest(answer.found.records) AS records
FROM (
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
) AS answer
