/*
summary = "A table with a column that says which half each record is of: a coin for each record decides, whatever the others are."
source = "Inclusion by independent coin flips, as an audit of differential privacy asks for: Steinke, Nasr and Jagielski, NeurIPS 2023."
options = ["seed"]
columns_of = "own"
order = ["record"]

[parameters]
data = { type = "relation", doc = "all real rows" }
share = { type = "number", default = 0.5, above = 0, below = 1, doc = "the chance of a record to be in train" }

[columns]
side = "VARCHAR, train or holdout"
*/
WITH rows AS (
  SELECT this_record AS record, each(own, own_value(this_column))
  FROM data
)
SELECT
  record,
  each(own, this_column),
  CASE WHEN drawn(record, $seed) < $share * 2147483647 THEN 'train' ELSE 'holdout' END AS side
FROM rows
