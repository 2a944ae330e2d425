/*
summary = "For every record of train the draws of its cells, the numbers predicted, and the values taken of other records."
part = true

[parameters]
train = { type = "relation", doc = "the original rows" }
seed = { type = "integer", default = 0, doc = "as in baseline" }
out_of_bag = { type = "boolean", default = false, doc = "as in baseline" }
noise = { type = "text", default = "none", doc = "as in baseline" }
trees = { type = "integer", default = 100, doc = "as in baseline" }
*/
-- The value of the donor is read out of the table itself, so that no type loses anything on the way.
SELECT
  originals.record,
  predicted.draws,
  predicted.numbers,
  each(compared,
    nth_value(originals.this_column, predicted.donors[this_position + 1] + 1)
      OVER (ORDER BY originals.record ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
  )
FROM originals(train) AS originals
JOIN forest(train, $seed, $out_of_bag, $noise, $trees) AS predicted ON predicted.record = originals.record
