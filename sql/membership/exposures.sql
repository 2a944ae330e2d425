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
WITH scores AS (
  SELECT $attack AS attack, *
  FROM scored(
    synthetic := synthetic, train := train, holdout := holdout, reference := reference, scores := scores, attack := $attack, k := $k
  )
),
tested AS (
  SELECT
    fold,
    score,
    members_above,
    non_members_above,
    all_members,
    all_non_members,
    CAST(non_members_above + 1 AS DOUBLE) / (all_non_members + 1) AS p_value,
    -- Benjamini-Hochberg: p-value times the number of tests, divided by its rank.
    CAST(CAST(non_members_above + 1 AS HUGEINT) * all_members AS DOUBLE)
    / CAST(CAST(all_non_members + 1 AS HUGEINT) * nullif(members_above, 0) AS DOUBLE) AS expected
  FROM roc(scores := scores)
),
controlled AS (
  SELECT
    *,
    min(expected) OVER (PARTITION BY fold ORDER BY score ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS q_value
  FROM tested
)
SELECT
  scores.person,
  scores.first_record,
  scores.record,
  scores.score,
  controlled.p_value,
  -- Times the number of folds, which bounds the false discovery rate for any dependence between folds.
  least(controlled.q_value * counted.folds, 1.0) AS q_value,
  scores.synthetic,
  scores.release,
  controlled.fold,
  controlled.members_above,
  controlled.non_members_above,
  controlled.all_members,
  controlled.all_non_members
FROM scores
JOIN controlled ON controlled.fold = scores.fold AND controlled.score = scores.score
CROSS JOIN (SELECT count(DISTINCT fold) AS folds FROM scores) AS counted
WHERE scores.side = 'train' AND (SELECT is_enough FROM enough(reference := holdout))
