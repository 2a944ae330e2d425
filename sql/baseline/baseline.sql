/*
summary = "The random forest baseline: a copy of train in which each cell is replaced, with probability p, by the prediction of a random forest."
source = "Random forests: Breiman, Machine Learning 45 (2001). Between the original (p = 0) and a table of predictions alone (p = 1)."
reads.compares = true
gives.columns_of = "own"
order = ["record"]
options = ["seed", "forest", "distance.columns", "distance.exclude", "distance.numeric", "distance.categorical"]
example = { train = "train", p = 0.5, seed = 3, trees = 5 }
tables = ["train"]

[parameters]
train = { doc = "the original rows" }
p = { type = "number", default = 0.5, minimum = 0, maximum = 1, doc = "the probability that a cell is replaced; with the same seed, cells replaced at a smaller p are also replaced at a larger one" }
*/
SELECT
  originals.record,
  each(left_out, left_out.this_column),
  each(compared,
    CASE
      WHEN predictions.draws[this_position + 1] < $p THEN predictions.this_column
      ELSE originals.this_column
    END
  )
FROM originals(train) AS originals
JOIN predictions(train) AS predictions ON predictions.record = originals.record
JOIN left_out(train) AS left_out ON left_out.record = originals.record
ORDER BY originals.record
