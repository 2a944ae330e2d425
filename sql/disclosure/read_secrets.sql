/*
summary = "For every person of train and secret, the smallest false discovery rate at which it counts as read: as in exposure, for all secrets together."
part = true
tables = ["synthetic", "train", "holdout"]

[parameters]
tolerance = { type = "number", default = 0.05, doc = "as in attribute_inference" }
*/
-- By how sure the model is: of scores that compare likelihoods, the largest are those of values that others find odd.
WITH tested AS (
  SELECT
    attack,
    score,
    -- Benjamini-Hochberg, as in exposures.
    CAST(CAST(non_members_above + 1 AS HUGEINT) * all_members AS DOUBLE)
    / CAST(CAST(all_non_members + 1 AS HUGEINT) * nullif(members_above, 0) AS DOUBLE) AS expected
  FROM roc(scores := secret_scores(synthetic := synthetic, train := train, holdout := holdout, tolerance := $tolerance, sure := true))
),
controlled AS (
  SELECT
    attack,
    score,
    min(expected) OVER (PARTITION BY attack ORDER BY score ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS q_value
  FROM tested
),
secrets AS (
  SELECT count(DISTINCT attack) AS secrets
  FROM tested
)
SELECT scores.attack AS secret, scores.record, least(controlled.q_value * secrets.secrets, 1.0) AS q_value
FROM secret_scores(synthetic := synthetic, train := train, holdout := holdout, tolerance := $tolerance, sure := true) AS scores
JOIN controlled ON controlled.attack = scores.attack AND controlled.score = scores.score
CROSS JOIN secrets
WHERE scores.side = 'train' AND (SELECT is_enough FROM enough(reference := holdout))
