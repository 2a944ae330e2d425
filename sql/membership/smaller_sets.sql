/*
summary = "The sets of releases that a call judges, each with those that are part of it, itself included: oldest and newest are places among the releases, 0 for synthetic."
options = ["internal.released_of"]
part = true
run.few = true
*/
WITH sets AS (
  SELECT
    this_value AS released,
    CASE
      WHEN this_value = 'alone' OR this_value = 'union' THEN 0
      WHEN this_value LIKE 'only %' THEN CAST(substr(this_value, 6) AS BIGINT)
      ELSE 1
    END AS oldest,
    CASE
      WHEN this_value = 'alone' THEN 0
      WHEN this_value = 'before' OR this_value = 'union' THEN 1000000
      WHEN this_value LIKE 'only %' THEN CAST(substr(this_value, 6) AS BIGINT)
      ELSE CAST(this_value AS BIGINT)
    END AS newest
  FROM each_value($released_of)
)
SELECT sets.released, parts.released AS part, parts.newest - parts.oldest AS size, parts.oldest
FROM sets
JOIN sets AS parts ON parts.oldest >= sets.oldest AND parts.newest <= sets.newest
