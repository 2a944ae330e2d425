/*
summary = "The number of records of train and of holdout with each value of each numeric target; NULL counts as a value."
part = true
tables = ["synthetic", "train", "holdout?"]
*/
SELECT
  this_position AS position,
  this_column AS value,
  count(*) FILTER (WHERE side = 1) AS in_train,
  count(*) FILTER (WHERE side = 3) AS in_holdout
FROM each_column(numeric, disclosure_rows(synthetic := synthetic, train := train, holdout := holdout))
GROUP BY this_column
