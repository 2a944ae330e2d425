/*
summary = "The score of every real record under the attack learned: its mean rank by three classifiers trained on people whose side is known."
source = "Logistic regression, histogram gradient boosting and extremely randomized trees of scikit-learn; features: nearest neighbors, agreement and counts of combinations."
options = ["internal.released"]
part = true
tables = ["synthetic", "train", "holdout?"]

[parameters]
evidence = { type = "boolean", default = false, doc = "return the features that raise each score" }
*/
-- control is the score without the synthetic table, if the plan requests it; see control_scores.sql.
SELECT side, record, score, synthetic, fold, evidence, control, release
FROM learned_alone(synthetic := synthetic, train := train, holdout := holdout, evidence := $evidence)
WHERE $releases IS NULL

UNION ALL

SELECT side, record, score, synthetic, fold, evidence, control, release
FROM learned_releases(
  synthetic := synthetic, train := train, holdout := holdout, evidence := $evidence, released := 'union'
)
WHERE $releases IS NOT NULL AND released = coalesce($released, 'alone')
