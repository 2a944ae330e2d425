/*
summary = "The distance of each real record to the nearest other one; in a quick evaluation of those of some people of each side."
part = true
tables = ["train", "holdout"]
*/
SELECT record, distance
FROM nearest(
  queries := population(train := train, holdout := holdout),
  reference := population(train := train, holdout := holdout),
  train := population(train := train, holdout := holdout),
  k := 1,
  exclude_self := true
)
WHERE $most_asked IS NULL

UNION ALL

-- The first rank is the record itself, or one that is equal to it.
SELECT people.asked AS record, found.distance
FROM nearest(
  queries := asked(train := train, holdout := holdout),
  reference := population(train := train, holdout := holdout),
  train := population(train := train, holdout := holdout),
  k := 2
) AS found
JOIN asked(train := train, holdout := holdout) AS people ON people.record = found.record
WHERE found.rank = 2 AND $most_asked IS NOT NULL
