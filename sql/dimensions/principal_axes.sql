/*
summary = "The composition of the components of reduce: the variance of train that each explains, and the contribution of each column."
source = "As reduce. Explained: the variance of a component over that of all points."
options = [
  "distance.scaling", "distance.columns", "distance.exclude", "distance.numeric", "distance.categorical", "distance.weights",
  "distance.category_mismatch",
]
reads.compares = true
order = ["component", "position"]
run.not_on = { spark = "it takes principal components, which run in Python" }
example = { train = "train", exclude = ["id"], components = 3 }
tables = ["train"]

[parameters]
scaling = { default = "standard" }
train = { doc = "the table that the axes are fitted on" }
components = { type = "integer", default = 2, minimum = 1, maximum = 1000, doc = "as in reduce" }
categories = { type = "integer", default = 10, minimum = 1, maximum = 1000, doc = "as in reduce" }

[columns]
component = "BIGINT, from 1"
explained = "DOUBLE, the share of the variance of train that it explains; NULL if all records of train are equal"
column_name = "VARCHAR"
share = "DOUBLE, the share of the column in the component: the sum of its squared coefficients, which is 1 over all columns, or 0 for a component without variance"
loading = "DOUBLE, the coefficient of a numeric column: positive if the component grows with it; NULL for categories and constant numbers"
*/
WITH axes AS (
  SELECT
    generate_subscripts(projection.found.explained, 1) AS component,
    unnest(projection.found.explained) AS explained,
    unnest(projection.found.shares) AS shares,
    unnest(projection.found.loadings) AS loadings
  FROM projected(train := train, data := train, components := $components, categories := $categories) AS projection
)
SELECT
  axes.component,
  axes.explained,
  names.position,
  names.name AS column_name,
  axes.shares[names.position + 1] AS share,
  axes.loadings[names.position + 1] AS loading
FROM axes
CROSS JOIN names() AS names
