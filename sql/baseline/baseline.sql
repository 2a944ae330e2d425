/*
summary = "The random forest baseline: train with each cell replaced, with probability p, by what a forest grown on the other columns predicts."
source = "Random forests: Breiman, Machine Learning 45 (2001). METRICS: between the original (p = 0) and a table of predictions alone (p = 1)."
compares = true
columns_of = "own"
order = ["record"]

[parameters]
train = { type = "relation", doc = "the original rows" }
p = { type = "number", default = 0.5, minimum = 0, maximum = 1, doc = "the chance of a cell to be replaced; with one seed, what is replaced at a smaller p is replaced at a larger one too" }
seed = { type = "integer", default = 0, minimum = 0, doc = "the same seed and table give the same result" }
out_of_bag = { type = "boolean", default = false, doc = "predict a record only by trees that did not see it" }
noise = { type = "text", default = "none", choices = ["none", "donor"], doc = "donor: instead of the prediction the value of a random original record from the same leaf" }
trees = { type = "integer", default = 100, minimum = 1, doc = "trees in the forest of a column" }
*/
SELECT
  originals.record,
  each(compared,
    CASE
      WHEN predictions.draws[this_position + 1] < $p THEN predictions.this_column
      ELSE originals.this_column
    END
  )
FROM originals(train) AS originals
JOIN predictions(train, $seed, $out_of_bag, $noise, $trees) AS predictions ON predictions.record = originals.record
ORDER BY originals.record
