/*
summary = "A table with a column that assigns each record to train or holdout, by an independent coin flip."
source = "Inclusion by independent coin flips, as audits of differential privacy require: Steinke, Nasr and Jagielski, NeurIPS 2023."
options = ["seed"]
gives.columns_of = "own"
order = ["record"]
example = { data = "train", share = 0.3, seed = 3 }

[parameters]
data = { type = "relation", doc = "all real rows" }
share = { type = "number", default = 0.5, above = 0, below = 1, doc = "the probability that a record is in train" }

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
