/*
summary = "The number of pairs of records of train, and of holdout, that are equal in each target, including each record with itself."
part = true
run.few = true
tables = ["synthetic", "train", "holdout?"]

[parameters]
bins = { type = "integer", default = 10, doc = "as in disclosure" }
*/
WITH counted AS (
  SELECT
    this_position AS position,
    count(*) FILTER (WHERE side = 1) AS in_train,
    count(*) FILTER (WHERE side = 3) AS in_holdout
  FROM each_column(categorical, disclosure_rows(synthetic := synthetic, train := train, holdout := holdout))
  WHERE side <> 2
  GROUP BY this_column

  UNION ALL

  SELECT numbers.position, sum(numbers.in_train) AS in_train, sum(numbers.in_holdout) AS in_holdout
  FROM disclosure_numbers(synthetic := synthetic, train := train, holdout := holdout) AS numbers
  LEFT JOIN disclosure_groups(synthetic := synthetic, train := train, holdout := holdout, bins := $bins) AS groups
    ON groups.position = numbers.position AND groups.value = numbers.value
  GROUP BY numbers.position, groups.value_group
)
SELECT position, sum(in_train * in_train) AS of_train, sum(in_holdout * in_holdout) AS of_holdout
FROM counted
GROUP BY position
