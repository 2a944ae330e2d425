/*
summary = "The top of the list of each attack as a curve: how many people of train stand there before so many of the holdout, and how many chance explains."
part = true
run.few = true
order = ["attack", "others"]

[parameters]
roc = { type = "relation", columns = ["attack", "fold", "score", "members_above", "non_members_above", "all_members", "all_non_members"], doc = "the rows of roc" }
points = { type = "integer", default = 200, doc = "the most points of a curve: of those closer together the last is kept" }

[columns]
attack = "VARCHAR"
others = "BIGINT, people of the holdout, from 0 to three times those where the list ends, and at least 20"
listed = "BIGINT, the most people of train before one more of the holdout"
by_chance = "DOUBLE, how many of them chance explains"
is_end = "BOOLEAN, whether the list ends here: at_least is listed less by_chance, rounded down"
*/
-- Of folds, that which gives most away.
WITH ends AS (
  SELECT *, row_number() OVER (PARTITION BY attack ORDER BY at_least DESC, listed, fold) AS place
  FROM tops(roc := roc)
),
chosen AS (
  SELECT
    attack,
    fold,
    by_chance,
    CASE WHEN at_least > 0 THEN others ELSE -1 END AS end_at,
    greatest(3 * others + 10, 20) AS most
  FROM ends
  WHERE place = 1
),
steps AS (
  SELECT
    roc.attack,
    roc.non_members_above AS others,
    max(roc.members_above) AS listed,
    max(chosen.by_chance) AS by_chance,
    max(chosen.end_at) AS end_at,
    max(chosen.most) AS most
  FROM roc
  JOIN chosen ON chosen.attack = roc.attack AND chosen.fold = roc.fold AND roc.non_members_above <= chosen.most
  GROUP BY roc.attack, roc.non_members_above
),
placed AS (
  SELECT *, max(others) OVER (PARTITION BY attack, others * ($points - 1) // (most + 1)) AS last
  FROM steps
)
SELECT attack, others, listed, by_chance * (1 + others) AS by_chance, CAST(others = end_at AS BOOLEAN) AS is_end
FROM placed
WHERE others = last OR others = end_at
