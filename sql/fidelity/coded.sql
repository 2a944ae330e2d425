/*
summary = "All tables in one with whole numbers in place of values: 1 is missing, 2 outside of train or not kept apart, from 3 on the bin or the category."
part = true

[parameters]
synthetic = { type = "relation", doc = "the synthetic table" }
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
holdout = { type = "relation", optional = true, doc = "real rows that it never saw" }
bins = { type = "integer", default = 10, doc = "quantile bins of a number of train" }
categories = { type = "integer", optional = true, doc = "categories of a column that are kept apart, the most frequent ones of train; without it all, those that train lacks too" }
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
