/*
summary = "No p-value by permutation, which runs in Python: the normal approximation is used."
part = true
run.warning = "p_value of holdout_share is the normal one, also below 30 records."
run.stands_in = ["no kernel"]

[parameters]
heavy = { type = "relation", doc = "as in exchanged" }
*/
SELECT depth, CAST(NULL AS DOUBLE) AS p_value
FROM heavy
WHERE 1 = 0
