/*
summary = "The coordinates of a table's records on the principal axes of train: a few columns in place of many."
source = """\
Principal component analysis: Pearson, Philosophical Magazine 2 (1901). The points are those whose Euclidean distance is the metric \
euclidean: numbers over their spread in train, and a dimension for each category."""
options = [
  "distance.scaling", "distance.columns", "distance.exclude", "distance.numeric", "distance.categorical", "distance.weights",
  "distance.category_mismatch", "distance.key",
]
reads.compares = true
gives.columns_of = "components"
keys = { record = "data" }
order = ["record"]
run.not_on = { spark = "it takes principal components, which run in Python" }
example = { train = "train", data = "synthetic", key = "id", components = 2, categories = 2 }
tables = ["train"]

[parameters]
scaling = { default = "standard" }
train = { doc = "the table that the axes are fitted on, whichever table is reduced: real rows; to compare train and holdout, both together" }
data = { type = "relation", doc = "the table that is reduced" }
components = { type = "integer", default = 2, minimum = 1, maximum = 1000, doc = "number of components, by descending variance of train. The largest coefficient of each is positive. Components beyond the variance of train are 0 for all records" }
categories = { type = "integer", default = 10, minimum = 1, maximum = 1000, doc = "number of categories per column that are encoded separately: the most frequent ones of train; all others share one, and missing values have their own" }

[columns]
record = "BIGINT, position in data"
*/
SELECT
  generate_subscripts(projection.found.places[1], 1) - 1 AS record,
  each(components, unnest(projection.found.places[this_position + 1]))
FROM projected(train := train, data := data, components := $components, categories := $categories) AS projection
