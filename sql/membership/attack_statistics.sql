/*
summary = "What the scores of each attack show: area under the curve with its interval and test, and the largest advantage."
source = "Ranks: Mann and Whitney, Annals of Mathematical Statistics 18 (1947); interval: DeLong et al., Biometrics 44 (1988)."
part = true
few = true

[parameters]
roc = { type = "relation", doc = "as roc gives it" }
*/
-- Pairs of a member and a non-member count 2 where the member has the larger score, and 1 where both have the same. All
-- sums are of whole numbers, so they do not depend on the order in which they are added up.
WITH placed AS (
  SELECT
    *,
    CAST(2 * (all_non_members - non_members_above) + non_members AS HUGEINT) AS below,
    CAST(2 * members_above - members AS HUGEINT) AS above
  FROM roc
),
sums AS (
  SELECT
    attack,
    max(all_members) AS members,
    max(all_non_members) AS non_members,
    CAST(max(all_members) AS HUGEINT) AS m,
    CAST(max(all_non_members) AS HUGEINT) AS h,
    sum(members * below) AS won,
    sum(members * below * below) AS member_squares,
    sum(non_members * above * above) AS non_member_squares,
    sum(
      CAST(members + non_members AS HUGEINT) * (members + non_members) * (members + non_members)
      - (members + non_members)
    ) AS ties,
    max(CAST(members_above AS HUGEINT) * all_non_members - CAST(non_members_above AS HUGEINT) * all_members) AS lead
  FROM placed
  GROUP BY attack
),
shares AS (
  SELECT
    attack,
    members,
    non_members,
    CAST(won AS DOUBLE) / (2 * CAST(m AS DOUBLE) * h) AS auc,
    sqrt(
      CAST(m * member_squares - won * won AS DOUBLE) / nullif(4 * CAST(m AS DOUBLE) * m * (m - 1) * h * h, 0)
      + CAST(h * non_member_squares - won * won AS DOUBLE) / nullif(4 * CAST(h AS DOUBLE) * h * (h - 1) * m * m, 0)
    ) AS auc_error,
    -- The variance of twice the pairs won, where nothing tells the two apart.
    CAST(m AS DOUBLE) * h / 3 * (m + h + 1 - CAST(ties AS DOUBLE) / nullif(CAST(m + h AS DOUBLE) * (m + h - 1), 0)) AS variance,
    CAST(won - m * h AS DOUBLE) AS surplus,
    CAST(CASE WHEN lead > 0 THEN lead ELSE 0 END AS DOUBLE) / (CAST(m AS DOUBLE) * h) AS advantage,
    CAST(m AS DOUBLE) * h / (m + h) AS pairs
  FROM sums
  WHERE m > 0 AND h > 0
),
tested AS (
  SELECT *, CASE WHEN variance > 0 THEN surplus / sqrt(2 * variance) END AS x
  FROM shares
)
SELECT
  attack,
  members,
  non_members,
  auc,
  greatest(auc - 1.959963984540054 * auc_error, 0.0) AS auc_lower,
  least(auc + 1.959963984540054 * auc_error, 1.0) AS auc_upper,
  -- All scores equal: none could have been smaller.
  CASE WHEN variance > 0 THEN 0.5 * erfc(x) ELSE 1.0 END AS p_value,
  advantage,
  exp(-2 * advantage * advantage * pairs) AS advantage_p_value
FROM tested
