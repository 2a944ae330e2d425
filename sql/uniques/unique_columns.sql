/*
summary = "How many people of train and of the holdout have each number of replicated uniques: of all columns (place -1), and without the combinations of each."
part = true
tables = ["synthetic", "train", "holdout?"]
*/
SELECT
  found.found.without_columns[hits.place + 1] AS column_name,
  hits.place,
  hits.score,
  hits.members,
  hits.non_members
FROM (
  SELECT
    unnest(found.found.without_places) AS place,
    unnest(found.found.without_scores) AS score,
    unnest(found.found.without_members) AS members,
    unnest(found.found.without_others) AS non_members
  FROM replicated(synthetic := synthetic, train := train, holdout := holdout) AS found
) AS hits
CROSS JOIN replicated(synthetic := synthetic, train := train, holdout := holdout) AS found
