/*
summary = "For each column of longer texts, and each record, or person, of a side: the longest run of words that nobody else has, and that a synthetic record has, too."
part = true
reads.compares = true
reads.unites = true
run.operator = "phrases of columns"
tables = ["synthetic", "train", "holdout?"]

[parameters]
phrase = { type = "integer", optional = true, doc = "from how many words on" }

[columns]
synthetic = "BIGINT, as in held_texts"
*/
SELECT
  answer.column_name,
  unnest(answer.found.side) AS side,
  unnest(answer.found.record) AS record,
  unnest(answer.found.synthetic) AS synthetic,
  unnest(answer.found.also) AS also,
  unnest(answer.found.words) AS words
FROM (
  SELECT
    column_name,
    synthpriv_phrases(
      list({
        'value': value, 'owner': owner, 'of_train': of_train, 'of_holdout': of_holdout, 'synthetic': synthetic,
        'records': records
      }),
      {'column': any_value(column_name), 'phrase': CAST($phrase AS BIGINT)}
    ) AS found
  FROM held_texts(synthetic := synthetic, train := train, holdout := holdout)
  GROUP BY column_name
) AS answer
