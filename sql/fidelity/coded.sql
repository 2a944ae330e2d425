/*
summary = "All tables in one, with values replaced by integers: 1 is missing, 2 out of the range of train or any other category, from 3 the bin or category."
part = true
tables = ["synthetic", "train", "holdout?"]

[parameters]
bins = { type = "integer", default = 10, doc = "number of quantile bins of train for numbers" }
categories = { type = "integer", optional = true, doc = "number of separate categories per column, the most frequent ones of train; by default all, including those that train lacks" }
*/
SELECT synthetic, train, holdout, each(compared, this_column)
FROM coded_alone(synthetic, train, dictionary(synthetic, train, holdout, $categories), $bins, 1)

UNION ALL

SELECT synthetic, train, holdout, each(compared, this_column)
FROM coded_alone(train, train, dictionary(synthetic, train, holdout, $categories), $bins, 2)

UNION ALL

SELECT synthetic, train, holdout, each(compared, this_column)
FROM coded_alone(holdout, train, dictionary(synthetic, train, holdout, $categories), $bins, 3)
WHERE $holdout IS NOT NULL
