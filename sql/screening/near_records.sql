/*
summary = "The synthetic records with a text that one person of train alone has, as it is or nearly, or with a run of their words."
part = true
tables = ["synthetic", "train", "holdout?"]

[columns]
record = "BIGINT, a record of synthetic"
is_near = "BOOLEAN, whether it has such a text, up to as many edits as brings back those of the holdout less than half as often"
words = "BIGINT, of the longest run of 8 words or more that one person of train alone has; NULL if there is none"
*/
WITH found AS (
  SELECT known.record, told.is_near, told.words
  FROM each_column(common_categorical, common_values(synthetic)) AS known
  JOIN texts_of_columns(synthetic := synthetic, train := train, holdout := holdout) AS told
    ON told.column_name = this_name AND told.value = CAST(this_column AS VARCHAR)
)
SELECT record, bool_or(is_near) AS is_near, max(words) AS words
FROM found
GROUP BY record
