/*
summary = "Receiver operating characteristic of attacks: for each score, the number of members and non-members with this score, and with at least this score."
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
),
sizes AS (
  SELECT attack, fold, CAST(sum(members) AS BIGINT) AS members, CAST(sum(non_members) AS BIGINT) AS non_members
  FROM thresholds
  GROUP BY attack, fold
),
summed AS (
  SELECT
    *,
    sum(members) OVER (PARTITION BY attack, fold ORDER BY score DESC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS members_above,
    sum(non_members) OVER (PARTITION BY attack, fold ORDER BY score DESC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
      AS non_members_above
  FROM thresholds
)
SELECT
  summed.attack,
  summed.fold,
  summed.score,
  summed.members,
  summed.non_members,
  CAST(summed.members_above AS BIGINT) AS members_above,
  CAST(summed.non_members_above AS BIGINT) AS non_members_above,
  sizes.members AS all_members,
  sizes.non_members AS all_non_members
FROM summed
JOIN sizes
  ON sizes.attack = summed.attack AND sizes.fold = summed.fold
