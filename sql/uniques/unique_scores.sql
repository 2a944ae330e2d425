/*
summary = "The number of replicated uniques of each real record or, with unit, of each person, and the synthetic record that has most of them."
part = true
tables = ["synthetic", "train", "holdout?"]
*/
-- For a person, record is the first row of most of them, and first_record the person's first row.
SELECT
  CASE WHEN hits.position < hits.members THEN 'train' ELSE 'holdout' END AS side,
  CASE WHEN hits.position < hits.members THEN hits.position ELSE hits.position - hits.members END AS record,
  CASE WHEN hits.position < hits.members THEN hits.first_position ELSE hits.first_position - hits.members END AS first_record,
  hits.score AS score,
  hits.synthetic AS synthetic,
  hits.release AS release
FROM (
  SELECT
    found.found.members AS members,
    unnest(found.found.positions) AS position,
    unnest(found.found.first_positions) AS first_position,
    unnest(found.found.scores) AS score,
    unnest(found.found.synthetic) AS synthetic,
    unnest(found.found.releases) AS release
  FROM replicated(synthetic := synthetic, train := train, holdout := holdout) AS found
) AS hits
