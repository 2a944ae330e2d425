/*
summary = "The replicated uniques of each real record, or person, in its smallest combinations."
part = true
tables = ["synthetic", "train", "holdout?"]
*/
SELECT
  CASE WHEN hits.position < hits.members THEN 'train' ELSE 'holdout' END AS side,
  CASE WHEN hits.position < hits.members THEN hits.position ELSE hits.position - hits.members END AS record,
  hits.place AS place,
  hits.columns AS columns,
  hits.synthetic AS synthetic,
  hits.also AS also,
  hits.release AS release
FROM (
  SELECT
    found.found.members AS members,
    unnest(found.found.unique_positions) AS position,
    generate_subscripts(found.found.unique_positions, 1) AS place,
    list_extract(found.found.sets, unnest(found.found.unique_sets) + 1) AS columns,
    unnest(found.found.unique_synthetic) AS synthetic,
    unnest(found.found.unique_also) AS also,
    unnest(found.found.unique_releases) AS release
  FROM replicated(synthetic := synthetic, train := train, holdout := holdout) AS found
) AS hits
