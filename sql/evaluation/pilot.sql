/*
summary = "A search in samples of two tables: how long it takes tells how long searches of all their records will."
options = ["distance", "seed"]
part = true
run.sets = { lenient = true }
run.asks_before = { identifiers = "identifiers", row_numbers = "numbering_columns" }
tables = ["synthetic", "train"]

[parameters]
identifiers = { type = "text", default = "warn", choices = ["warn", "exclude", "compare"], doc = "as in evaluate" }
sample = { type = "integer", own = true, optional = true, minimum = 200, doc = "how many records of each table" }

[columns]
found = "BIGINT"
*/
SELECT count(*) AS found
FROM nearest(queries := synthetic, reference := train, train := train, k := 2, exclude_self := FALSE)
