/*
summary = "The person of each real record, as a number, for a user's own attack."
options = ["unit"]
part = true
reads.units = ["train", "holdout"]
order = ["side", "record"]
tables = ["train", "holdout?"]

[columns]
side = "VARCHAR, train or holdout"
record = "BIGINT, the record's 0-based position in scan order"
person = "BIGINT, from 1; records of one person have the same number"
*/
SELECT side, record, dense_rank() OVER (ORDER BY person) AS person
FROM persons(train, holdout)
