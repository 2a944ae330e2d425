/*
summary = "One row: how well a classifier without synthetic distinguishes train from the holdout, with its interval, and whether that is more than chance; NULL if there are too few records to learn from."
part = true
run.few = true
options = ["attack.folds", "attack.most", "seed"]
tables = ["train", "holdout", "synthetic?"]
*/
WITH of_units AS (
  SELECT attack, fold, side, score
  FROM control_scores(train := train, holdout := holdout, synthetic := synthetic)
  WHERE $unit IS NULL

  UNION ALL

  -- The score of a person is the mean over its rows.
  SELECT scores.attack, scores.fold, scores.side, exact_mean(scores.score) AS score
  FROM control_scores(train := train, holdout := holdout, synthetic := synthetic) AS scores
  JOIN persons(train := train, holdout := holdout) AS persons
    ON persons.side = scores.side AND persons.record = scores.record
  WHERE $unit IS NOT NULL
  GROUP BY scores.attack, scores.fold, scores.side, persons.person
)
-- Folds share most of what they learn from, so that the AUC varies up to sqrt(2) times as much as its interval says.
SELECT
  max(auc) AS auc,
  max(auc_lower) AS lower,
  max(auc_upper) AS upper,
  max(auc) - sqrt(2.0) * (max(auc) - max(auc_lower)) > 0.51 AS differs
FROM attack_statistics(roc := roc(scores := of_units))
