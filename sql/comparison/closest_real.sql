/*
summary = "The real records closest to each synthetic one, all that are equally close; those that equal each other are one, with how many they are."
source = "Of more than 100 different ones, 100 drawn by lot stand for all: where a synthetic record equals no real one in anything, all of them are equally far."
part = true
materialized = true

[parameters]
synthetic = { type = "relation", doc = "the synthetic table" }
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
holdout = { type = "relation", doc = "real rows that it never saw" }
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
