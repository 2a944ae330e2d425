/*
summary = "How unlikely the first few of each list of scores are without a leak: the smallest p-value over seven lengths of the list, from 8 to 512, times seven."
part = true
run.few = true

[parameters]
roc = { type = "relation", doc = "the rows of roc" }

[columns]
attack = "VARCHAR"
fold = "BIGINT"
p_value = "DOUBLE; no row if more than 512 have the largest score"
*/
WITH heads AS (
  SELECT attack, fold, members_above, members_above + non_members_above AS listed, all_members, all_members + all_non_members AS people
  FROM roc
  WHERE all_members > 0 AND all_non_members > 0 AND members_above + non_members_above <= 512
),
lengths AS (
  SELECT this_value AS most
  FROM each_value([8, 16, 32, 64, 128, 256, 512])
),
-- The list grows down the scores, and so do its members: both are largest in the same row.
lists AS (
  SELECT
    heads.attack,
    heads.fold,
    max(heads.people) AS population,
    max(heads.all_members) AS successes,
    max(CASE WHEN heads.listed <= lengths.most THEN heads.listed ELSE 0 END) AS draws,
    max(CASE WHEN heads.listed <= lengths.most THEN heads.members_above ELSE 0 END) AS observed
  FROM heads
  CROSS JOIN lengths
  GROUP BY heads.attack, heads.fold, lengths.most
),
tests AS (
  SELECT *, row_number() OVER (ORDER BY attack, fold, draws) AS test
  FROM (
    SELECT DISTINCT attack, fold, population, successes, draws, observed
    FROM lists
  ) AS different
)
SELECT tests.attack, tests.fold, least(min(CASE WHEN tests.draws < 5 THEN 1.0 ELSE 7 * tails.tail END), 1.0) AS p_value
FROM tests
JOIN hypergeometric(tests := tests) AS tails ON tails.test = tests.test
GROUP BY tests.attack, tests.fold
