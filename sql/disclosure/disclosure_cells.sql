/*
summary = "The number of records of each table with each combination of the quasi-identifiers and a target; NULL counts as a value."
part = true
tables = ["synthetic", "train", "holdout?"]

[parameters]
bins = { type = "integer", default = 10, doc = "as in disclosure" }
*/
SELECT
  this_position AS position,
  each(quasi_identifiers, this_column),
  count(*) FILTER (WHERE side = 1) AS in_train,
  count(*) FILTER (WHERE side = 2) AS in_synthetic,
  count(*) FILTER (WHERE side = 3) AS in_holdout
FROM each_column(categorical, disclosure_rows(synthetic := synthetic, train := train, holdout := holdout))
GROUP BY each(quasi_identifiers, this_column), this_column

UNION ALL

SELECT
  this_position AS position,
  each(quasi_identifiers, this_column),
  count(*) FILTER (WHERE side = 1) AS in_train,
  count(*) FILTER (WHERE side = 2) AS in_synthetic,
  count(*) FILTER (WHERE side = 3) AS in_holdout
FROM each_column(numeric, disclosure_rows(synthetic := synthetic, train := train, holdout := holdout)) AS found
LEFT JOIN disclosure_groups(synthetic := synthetic, train := train, holdout := holdout, bins := $bins) AS groups
  ON groups.position = this_position AND groups.value = found.this_column
GROUP BY each(quasi_identifiers, this_column), groups.value_group
