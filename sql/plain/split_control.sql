/*
summary = "No control: its classifier runs in Python."
part = true
options = ["attack.folds", "attack.most", "seed"]
warning = "split_check has no control: its classifier runs in Python."

[parameters]
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
holdout = { type = "relation", doc = "real rows that it never saw" }
synthetic = { type = "relation", optional = true, doc = "as in control_scores" }
*/
SELECT CAST(NULL AS DOUBLE) AS auc, CAST(NULL AS DOUBLE) AS lower, CAST(NULL AS DOUBLE) AS upper
