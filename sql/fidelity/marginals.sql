/*
summary = "The total variation distance between the marginals of synthetic and train, over all sets of one, two or three columns."
source = "Platzer and Reutterer, Frontiers in Big Data 4 (2021); triples by sets of four: Hanani, Canadian Journal of Mathematics 12 (1960)."
options = ["distance.columns", "distance.exclude", "distance.numeric", "distance.categorical", "distance.key"]
reads.compares = true
order = ["first", "second", "third"]
example = { synthetic = "synthetic", train = "train", exclude = ["id"], k = 2, bins = 3, categories = 2 }
tables = ["synthetic", "train"]

[parameters]
k = { type = "integer", default = 1, minimum = 1, maximum = 3, doc = "number of columns per marginal" }
bins = { type = "integer", default = 10, minimum = 1, maximum = 500, doc = "number of quantile bins of train for numbers and times; values outside the range of train have a separate bin, and so do missing values" }
categories = { type = "integer", default = 10, minimum = 1, maximum = 500, doc = "number of separate categories per column, the most frequent ones of train (ties: the first in text order); all others count as one category, and missing values as one" }

[columns]
columns = "VARCHAR[], k column names"
distance = "DOUBLE, from 0 (the same shares in every cell) to 1 (no cell in common); NULL if a table has no rows"
*/
SELECT
  variation.first,
  variation.second,
  variation.third,
  list_filter([one.name, two.name, three.name], lambda name: name IS NOT NULL) AS columns,
  variation.distance
FROM variation(synthetic := synthetic, train := train, of := $k, bins := $bins, categories := $categories) AS variation
JOIN names() AS one ON one.position = variation.first
LEFT JOIN names() AS two ON two.position = variation.second
LEFT JOIN names() AS three ON three.position = variation.third
