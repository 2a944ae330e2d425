/*
summary = "The synthetic table after the remedy: its columns coarsened, and records taken out, as remedy finds."
source = "As remedy."
options = ["attack.near", "attack.width", "attack.combinations", "distance.columns", "distance.exclude", "distance.numeric", "distance.categorical", "distance.key", "unit", "seed", "release"]
reads.compares = true
reads.units = ["synthetic", "train", "holdout"]
gives.columns_of = "own"
order = ["record"]
run.searched = true
example = { synthetic = "synthetic", train = "train", holdout = "holdout", key = "id", steps = 2 }
tables = ["synthetic", "train", "holdout"]

[parameters]
holdout = { doc = "real rows that it never saw, drawn as train was" }
keep = { type = "names", default = [], doc = "columns that must not change" }
ladder = { type = "ladders", optional = true, doc = "steps of your own, by column: a list of SQL expressions of the column, each coarser than the one before; or a table with the values in its first column and their generalizations, level by level, in the others" }
remove = { type = "number", default = 0.01, minimum = 0, below = 1, doc = "the largest share of records that may be taken out: those that name people, and copies; with releases none are (safe finds those)" }
steps = { type = "integer", default = 40, minimum = 1, maximum = 1000, doc = "the largest number of steps" }
target = { type = "text", default = "watch", choices = ["good", "watch", "nobody"], doc = "the level that the verdict is to reach: good, or watch (not bad); nobody: enough that nobody is named and fewer than five people are given away at the top of a list" }
children = { type = "families", optional = true, doc = "child tables by name, as in evaluate; their columns change too, as TABLE.COLUMN, and a parent who is taken out takes its children along" }
part = { type = "text", optional = true, doc = "the table of children to return, by its name; without it, the parents" }
other = { type = "text", default = "other", doc = "what rare categories become" }
loss = { type = "number", default = 0.2, above = 0, maximum = 1, doc = "the largest rise of the mean total variation distance of pairs of columns to train that the search may cause" }
tolerance = { type = "number", default = 0.02, minimum = 0, below = 0.5, doc = "as in evaluate" }
*/
-- The search decides which of these columns change, and how: synthpriv_sql/remedies.
SELECT
  each(own, own.this_column),
  own.record
FROM own(synthetic) AS own
