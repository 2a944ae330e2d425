/*
summary = "Can a random forest distinguish synthetic records from train? The area under its ROC curve, out of bag."
source = "Random forests: Breiman, Machine Learning 45 (2001); interval: DeLong et al., Biometrics 44 (1988)."
options = ["distance.columns", "distance.exclude", "distance.numeric", "distance.categorical", "distance.key", "seed.seed", "forest.trees"]
reads.compares = true
gives.number = "auc"
example = { synthetic = "synthetic", train = "train", exclude = ["id"], trees = 5, seed = 3 }
tables = ["synthetic", "train"]

[columns]
auc = "DOUBLE, the probability that a synthetic record looks more synthetic than a real one: 0.5 if the forest cannot distinguish them, 1 if it always can; below 0.5 if synthetic repeats train, as each record then has its duplicate on the other side"
lower = "DOUBLE, lower end of the 95 % interval"
upper = "DOUBLE, upper end"
*/
WITH scores AS (
  SELECT 'detection' AS attack, 0 AS fold, CASE WHEN is_real THEN 'holdout' ELSE 'train' END AS side, score
  FROM detected(synthetic := synthetic, train := train) AS detected
  WHERE score IS NOT NULL
)
SELECT auc, auc_lower AS lower, auc_upper AS upper
FROM attack_statistics(roc := roc(scores := scores))
