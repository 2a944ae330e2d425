/*
summary = "For each column of texts: those of synthetic that one person of train alone has, as they are or nearly, or that have a run of their words."
part = true
run.operator = "texts of synthetic"
tables = ["synthetic", "train", "holdout?"]

[columns]
is_near = "BOOLEAN, as in near_records"
words = "BIGINT, as in near_records"
*/
SELECT
  answer.column_name,
  unnest(answer.found.value) AS value,
  unnest(answer.found.is_near) AS is_near,
  unnest(answer.found.words) AS words
FROM (
  SELECT
    column_name,
    synthpriv_near_records(
      list({'value': value, 'owner': owner, 'records': records, 'people': people}),
      {'column': any_value(column_name), 'least': 8, 'threads': current_setting('threads')}
    ) AS found
  FROM owned_texts(synthetic := synthetic, train := train, holdout := holdout)
  GROUP BY column_name
) AS answer
