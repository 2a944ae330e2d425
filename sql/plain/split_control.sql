/*
summary = "No control, which learns where the kernel is."
part = true
options = ["attack.folds", "attack.most", "seed"]
warning = "split_check is without its control: it learns where the kernel is."

[parameters]
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
holdout = { type = "relation", doc = "real rows that it never saw" }
synthetic = { type = "relation", optional = true, doc = "as in control_scores" }
*/
SELECT CAST(NULL AS DOUBLE) AS auc, CAST(NULL AS DOUBLE) AS lower, CAST(NULL AS DOUBLE) AS upper
