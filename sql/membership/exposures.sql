/*
summary = "Every member, record or person, with its score and conformal p-value."
options = ["internal.released"]
part = true
tables = ["synthetic", "train", "holdout"]

[parameters]
reference = { type = "relation", optional = true, doc = "further real rows, for the attack calibrated" }
scores = { type = "relation", optional = true, columns = ["score"], doc = "scores of the user's own attacks" }
attack = { type = "text", default = "distance", doc = "as in exposure" }
k = { type = "integer", default = 1, doc = "as in membership" }
*/
-- Scores of the attack learned are ranks within folds, so those of all folds are one list.
WITH scores AS (
  SELECT $attack AS attack, 0 AS fold, person, first_record, record, side, score, synthetic, release
  FROM scored(
    synthetic := synthetic, train := train, holdout := holdout, reference := reference, scores := scores, attack := $attack, k := $k
  )
),
tested AS (
  SELECT
    score,
    CAST(non_members_above + 1 AS DOUBLE) / (all_non_members + 1) AS p_value,
    -- Benjamini-Hochberg: p-value times the number of tests, divided by its rank.
    CAST(CAST(non_members_above + 1 AS HUGEINT) * all_members AS DOUBLE)
    / CAST(CAST(all_non_members + 1 AS HUGEINT) * nullif(members_above, 0) AS DOUBLE) AS expected
  FROM roc(scores := scores)
),
controlled AS (
  SELECT
    score,
    p_value,
    min(expected) OVER (ORDER BY score ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS q_value
  FROM tested
)
SELECT
  scores.person,
  scores.first_record,
  scores.record,
  scores.score,
  controlled.p_value,
  least(controlled.q_value, 1.0) AS q_value,
  scores.synthetic,
  scores.release
FROM scores
JOIN controlled ON controlled.score = scores.score
WHERE scores.side = 'train' AND (SELECT is_enough FROM enough(reference := holdout))
