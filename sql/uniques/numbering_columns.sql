/*
summary = "Which of some columns number the rows of synthetic, see running_numbers."
part = true
few = true
common = true
asks_before = { possible = "possible_numbers" }
tables = ["synthetic", "train"]

[parameters]
columns = { type = "names", own = true, doc = "the columns, those of possible_numbers" }

[columns]
column_name = "VARCHAR"
*/
SELECT column_name
FROM running_numbers(synthetic := synthetic, train := train)
