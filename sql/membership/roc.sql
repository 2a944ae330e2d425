/*
summary = "Receiver operating characteristic of attacks: at each score, how many members and non-members have it, and it or a larger one."
part = true

[parameters]
scores = { type = "relation", doc = "rows of attack, side (train or holdout) and score" }
*/
WITH thresholds AS (
  SELECT
    attack,
    score,
    count(*) FILTER (WHERE side = 'train') AS members,
    count(*) FILTER (WHERE side = 'holdout') AS non_members
  FROM scores
  GROUP BY attack, score
)
SELECT
  attack,
  score,
  members,
  non_members,
  CAST(sum(members) OVER (PARTITION BY attack ORDER BY score DESC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS BIGINT) AS members_above,
  CAST(sum(non_members) OVER (PARTITION BY attack ORDER BY score DESC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS BIGINT) AS non_members_above,
  CAST(sum(members) OVER (PARTITION BY attack) AS BIGINT) AS all_members,
  CAST(sum(non_members) OVER (PARTITION BY attack) AS BIGINT) AS all_non_members
FROM thresholds
