/*
summary = "All real records at the smallest distance from each synthetic record; equal ones are combined, with their count."
source = "More than 100 distinct ones are represented by a random sample of 100: a synthetic record that shares no value with any real record is equally far from all of them."
part = true
run.materialized = true
tables = ["synthetic", "train", "holdout"]
*/
SELECT found.record, found.distance, groups.first_record, groups.members, groups.alike
FROM nearest(
  queries := synthetic,
  reference := distinct_real(train := train, holdout := holdout),
  train := population(train := train, holdout := holdout),
  k := 1,
  ties := true,
  most_ties := 100
) AS found
JOIN distinct_real(train := train, holdout := holdout) AS groups ON groups.record = found.neighbor
