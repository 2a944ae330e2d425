/*
summary = "Receiver operating characteristic of attacks: at each score, how many members and non-members have it, and it or a larger one."
part = true

[parameters]
scores = { type = "relation", doc = "rows of attack, fold, side (train or holdout) and score" }
*/
WITH thresholds AS (
  SELECT
    attack,
    fold,
    score,
    count(*) FILTER (WHERE side = 'train') AS members,
    count(*) FILTER (WHERE side = 'holdout') AS non_members
  FROM scores
  GROUP BY attack, fold, score
)
SELECT
  attack,
  fold,
  score,
  members,
  non_members,
  CAST(sum(members) OVER (PARTITION BY attack, fold ORDER BY score DESC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS BIGINT) AS members_above,
  CAST(sum(non_members) OVER (PARTITION BY attack, fold ORDER BY score DESC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS BIGINT) AS non_members_above,
  CAST(sum(members) OVER (PARTITION BY attack, fold) AS BIGINT) AS all_members,
  CAST(sum(non_members) OVER (PARTITION BY attack, fold) AS BIGINT) AS all_non_members
FROM thresholds
