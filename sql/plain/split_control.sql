/*
summary = "No control: its classifier runs in Python."
part = true
options = ["attack.folds", "attack.most", "seed"]
run.warning = "split_check has no control: its classifier runs in Python."
run.stands_in = ["no kernel", "no control"]
tables = ["train", "holdout", "synthetic?"]
*/
SELECT CAST(NULL AS DOUBLE) AS auc, CAST(NULL AS DOUBLE) AS lower, CAST(NULL AS DOUBLE) AS upper, CAST(NULL AS BOOLEAN) AS differs
