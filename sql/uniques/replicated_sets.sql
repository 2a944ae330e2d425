/*
summary = "How many people of train and of the holdout have a replicated unique in each set of columns; sets in which nobody has one, and those of several columns with one that has one value in all real records, have no rows."
part = true
tables = ["synthetic", "train", "holdout?"]
*/
SELECT hits.place, hits.columns, CAST(len(hits.columns) AS BIGINT) AS width, hits.members, hits.others
FROM (
  SELECT
    generate_subscripts(found.found.set_members, 1) AS place,
    unnest(found.found.sets) AS columns,
    unnest(found.found.set_members) AS members,
    unnest(found.found.set_others) AS others
  FROM replicated(synthetic := synthetic, train := train, holdout := holdout) AS found
) AS hits
WHERE hits.members + hits.others > 0
