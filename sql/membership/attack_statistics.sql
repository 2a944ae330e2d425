/*
summary = "Statistics of the scores of each attack: area under the curve with interval and test, and the largest advantage."
source = "Ranks: Mann and Whitney, Annals of Mathematical Statistics 18 (1947); interval: DeLong et al., Biometrics 44 (1988)."
part = true
run.few = true

[parameters]
roc = { type = "relation", doc = "the rows of roc" }
*/
-- A pair of a member and a non-member counts 2 if the member has the larger score, and 1 for a tie. All sums are of
-- integers, so they do not depend on the order of addition.
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
    fold,
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
  GROUP BY attack, fold
),
shares AS (
  SELECT
    attack,
    fold,
    members,
    non_members,
    CAST(won AS DOUBLE) / (2 * CAST(m AS DOUBLE) * h) AS auc,
    sqrt(
      CAST(m * member_squares - won * won AS DOUBLE) / nullif(4 * CAST(m AS DOUBLE) * m * (m - 1) * h * h, 0)
      + CAST(h * non_member_squares - won * won AS DOUBLE) / nullif(4 * CAST(h AS DOUBLE) * h * (h - 1) * m * m, 0)
    ) AS auc_error,
    -- The variance of twice the pairs won under the null hypothesis.
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
),
of_folds AS (
  SELECT
    *,
    -- All scores are equal: the statistic cannot vary.
    CASE WHEN variance > 0 THEN 0.5 * erfc(x) ELSE 1.0 END AS p_value,
    exp(-2 * advantage * advantage * pairs) AS advantage_p_value,
    count(*) OVER (PARTITION BY attack) AS folds,
    max(abs(x)) OVER (PARTITION BY attack) AS largest
  FROM tested
),
bounded AS (
  SELECT
    *,
    -- Two bounds at 2.5 % for all thresholds at once (Dvoretzky, Kiefer, Wolfowitz; Massart).
    greatest(
      advantage - sqrt(ln(40.0 * folds) / (2.0 * members)) - sqrt(ln(40.0 * folds) / (2.0 * non_members)), 0.0
    ) AS traced
  FROM of_folds
),
-- The mean over folds. Two folds judge each other: whatever a pair of records from both has in common counts twice, so
-- the variance of a sum over folds may be twice that of independent ones. Of other p-values the smallest counts, times
-- the number of folds.
together AS (
  SELECT
    attack,
    CAST(sum(members) AS BIGINT) AS members,
    CAST(sum(non_members) AS BIGINT) AS non_members,
    CASE WHEN max(folds) = 1 THEN max(auc) ELSE exact_mean(auc) END AS auc,
    CASE
      WHEN max(folds) = 1 THEN max(auc_error)
      WHEN count(auc_error) = max(folds) THEN sqrt(exact_mean(auc_error * auc_error) / max(folds))
    END AS auc_error,
    max(folds) AS folds,
    max(p_value) AS p_value,
    max(largest) * exact_sum(CASE WHEN largest > 0 THEN x / largest ELSE 0.0 END) / sqrt(2.0 * max(folds)) AS x,
    CASE WHEN max(folds) = 1 THEN max(advantage) ELSE exact_mean(advantage) END AS advantage,
    least(max(folds) * min(advantage_p_value), 1.0) AS advantage_p_value,
    CASE WHEN max(folds) = 1 THEN max(traced) ELSE exact_mean(traced) END AS traced_lower
  FROM bounded
  GROUP BY attack
)
SELECT
  attack,
  members,
  non_members,
  auc,
  greatest(auc - 1.959963984540054 * auc_error, 0.0) AS auc_lower,
  least(auc + 1.959963984540054 * auc_error, 1.0) AS auc_upper,
  CASE WHEN folds = 1 THEN p_value WHEN x IS NULL THEN 1.0 ELSE 0.5 * erfc(x) END AS p_value,
  advantage,
  advantage_p_value,
  traced_lower
FROM together
