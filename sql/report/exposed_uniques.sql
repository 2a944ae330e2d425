/*
summary = "For the most exposed train records: the first of the smallest unique combinations, and the number of synthetic records that have it."
part = true
tables = ["synthetic", "train", "holdout?"]

[parameters]
named_by = { type = "names", default = ["uniques", "learned"], doc = "as in evaluate" }
show_values = { type = "boolean", default = false, doc = "as in most_exposed" }
scores = { type = "relation", optional = true, columns = ["score"], doc = "as in evaluate" }
*/
WITH listed AS (
  SELECT
    record,
    columns,
    synthetic,
    also,
    row_number() OVER (PARTITION BY record ORDER BY place) AS number,
    count(*) OVER (PARTITION BY record) AS combinations
  FROM smallest_uniques(synthetic := synthetic, train := train, holdout := holdout)
  WHERE side = 'train'
)
SELECT
  people.record,
  people.place,
  array_to_string(listed.columns, ', ') AS columns,
  listed.synthetic,
  listed.also,
  listed.combinations
FROM most_exposed(
  synthetic := synthetic, train := train, holdout := holdout, named_by := $named_by, scores := scores,
  show_values := $show_values
) AS people
JOIN listed ON listed.record = people.record AND listed.number = 1
