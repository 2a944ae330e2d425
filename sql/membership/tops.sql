/*
summary = "The top of each list of scores: at least how many there are in train beyond what chance explains, how many are listed for it, and down to which score."
source = "The bound of by_chance, for all thresholds at once."
options = ["internal.sets"]
part = true
run.few = true

[parameters]
roc = { type = "relation", doc = "the rows of roc" }

[columns]
attack = "VARCHAR"
fold = "BIGINT"
folds = "BIGINT, folds of the attack in which both sides have scores"
by_chance = "DOUBLE, c: among those listed at most c (1 + non-members listed) are there by chance"
at_least = "BIGINT, the most members beyond that over all thresholds; 0 if there are none"
listed = "BIGINT, members down to the first threshold at which that many are; 0 if there are none"
others = "BIGINT, non-members down to there"
threshold = "DOUBLE, the score of the last of them; NULL if there are none"
*/
-- All attacks, folds and sets of releases that a call judges share the level of 5 %, so that none of the numbers is too large in 95 of 100 cases.
WITH sizes AS (
  SELECT attack, fold, max(all_members) AS members, max(all_non_members) AS non_members
  FROM roc
  WHERE all_members > 0 AND all_non_members > 0
  GROUP BY attack, fold
),
folds AS (
  SELECT attack, count(*) AS folds
  FROM sizes
  GROUP BY attack
),
bounds AS (
  SELECT
    sizes.attack,
    sizes.fold,
    folds.folds,
    by_chance(
      CAST(sizes.members AS DOUBLE), CAST(sizes.non_members AS DOUBLE), CAST(attacks.attacks * folds.folds * $sets AS DOUBLE)
    ) AS by_chance
  FROM sizes
  JOIN folds ON folds.attack = sizes.attack
  CROSS JOIN (SELECT count(*) AS attacks FROM folds) AS attacks
),
beyond AS (
  SELECT
    roc.attack,
    roc.fold,
    roc.score,
    roc.members_above,
    roc.non_members_above,
    floor(roc.members_above - bounds.by_chance * (1 + roc.non_members_above)) AS beyond
  FROM roc
  JOIN bounds ON bounds.attack = roc.attack AND bounds.fold = roc.fold
),
most AS (
  SELECT attack, fold, max(beyond) AS at_least
  FROM beyond
  WHERE beyond >= 1
  GROUP BY attack, fold
),
ends AS (
  SELECT
    beyond.attack,
    beyond.fold,
    max(most.at_least) AS at_least,
    min(beyond.members_above) AS listed,
    min(beyond.non_members_above) AS others,
    max(beyond.score) AS threshold
  FROM beyond
  JOIN most ON most.attack = beyond.attack AND most.fold = beyond.fold AND most.at_least = beyond.beyond
  GROUP BY beyond.attack, beyond.fold
)
SELECT
  bounds.attack,
  bounds.fold,
  bounds.folds,
  bounds.by_chance,
  CAST(coalesce(ends.at_least, 0) AS BIGINT) AS at_least,
  CAST(coalesce(ends.listed, 0) AS BIGINT) AS listed,
  CAST(coalesce(ends.others, 0) AS BIGINT) AS others,
  ends.threshold
FROM bounds
LEFT JOIN ends ON ends.attack = bounds.attack AND ends.fold = bounds.fold
