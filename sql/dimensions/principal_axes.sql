/*
summary = "What the components of reduce are made of: how much of train each explains, and which columns it stands for."
source = "As reduce. Explained: the variance of a component over that of all points."
options = [
  "distance.scaling", "distance.columns", "distance.exclude", "distance.numeric", "distance.categorical", "distance.weights",
  "distance.category_mismatch",
]
defaults = { scaling = "standard" }
compares = true
order = ["component", "position"]

[parameters]
train = { type = "relation", doc = "the table that the axes are fitted on" }
components = { type = "integer", default = 2, minimum = 1, maximum = 1000, doc = "as in reduce" }
categories = { type = "integer", default = 10, minimum = 1, maximum = 1000, doc = "as in reduce" }

[columns]
component = "BIGINT, from 1"
explained = "DOUBLE, the share of the variance of train that it has; NULL where all records of train are equal"
column_name = "VARCHAR"
share = "DOUBLE, of the component that the column has: its squared coefficients, which of all columns make 1, or 0 of a component that says nothing"
loading = "DOUBLE, the coefficient of a number: positive where the component grows with it; NULL for categories and for numbers that do not differ"
*/
WITH axes AS (
  SELECT
    generate_subscripts(told.found.explained, 1) AS component,
    unnest(told.found.explained) AS explained,
    unnest(told.found.shares) AS shares,
    unnest(told.found.loadings) AS loadings
  FROM projected(train := train, data := train, components := $components, categories := $categories) AS told
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
