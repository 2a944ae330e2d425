/*
summary = "The records of a table on the principal axes of train: few columns in place of many, for use as columns."
source = """\
Principal component analysis: Pearson, Philosophical Magazine 2 (1901). The points are those whose Euclidean distance is the metric \
euclidean: numbers over their spread in train, and a dimension for each category."""
options = [
  "distance.scaling", "distance.columns", "distance.exclude", "distance.numeric", "distance.categorical", "distance.weights",
  "distance.category_mismatch", "distance.key",
]
defaults = { scaling = "standard" }
compares = true
columns_of = "components"
keys = { record = "data" }
order = ["record"]

[parameters]
train = { type = "relation", doc = "the table that the axes are fitted on, whatever table is reduced: real rows, train and holdout together where these are compared" }
data = { type = "relation", doc = "the table that is reduced" }
components = { type = "integer", default = 2, minimum = 1, maximum = 1000, doc = "how many, those first in which train differs most; each has its largest coefficient positive, and is 0 for all records where train does not differ any more" }
categories = { type = "integer", default = 10, minimum = 1, maximum = 1000, doc = "categories of a column that are kept apart, the most frequent ones of train; the others are one, and so is what is missing" }

[columns]
record = "BIGINT, position in data"
*/
SELECT
  generate_subscripts(told.found.places[1], 1) - 1 AS record,
  each(components, unnest(told.found.places[this_position + 1]))
FROM projected(train := train, data := data, components := $components, categories := $categories) AS told
