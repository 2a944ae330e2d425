/*
summary = "Which columns reveal that records are synthetic? The loss of the forest of detection when a column is shuffled."
source = "Permutation importance, out of bag: Breiman, Machine Learning 45 (2001)."
options = ["distance.columns", "distance.exclude", "distance.numeric", "distance.categorical", "distance.key", "seed.seed", "forest.trees"]
reads.compares = true
order = ["place"]
example = { synthetic = "synthetic", train = "train", exclude = ["id"], trees = 5, seed = 3 }
tables = ["synthetic", "train"]

[columns]
column_name = "VARCHAR"
importance = "DOUBLE, the decrease of the area under the ROC curve: large if the column reveals synthetic records, about 0 if it does not or another column has the same information; NULL for columns that the forest does not use"
*/
SELECT
  row_number() OVER (ORDER BY CASE WHEN found.importance IS NULL THEN 1 ELSE 0 END, found.importance DESC, names.position) AS place,
  names.name AS column_name,
  found.importance
FROM names() AS names
JOIN detected(synthetic := synthetic, train := train, importance := true) AS found ON found.position = names.position
