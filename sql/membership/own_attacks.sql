/*
summary = "The names of the attacks whose scores a table has."
part = true
run.few = true
order = ["attack"]

[parameters]
scores = { type = "relation", doc = "scores of the user's own attacks" }

[columns]
attack = "VARCHAR"
*/
SELECT each(score_attack, CAST(own_value(this_column) AS VARCHAR)) AS attack
FROM scores
GROUP BY 1
