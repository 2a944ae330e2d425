/*
summary = "The least change of a synthetic table after which it may be released: columns coarsened, records taken out, and a confirmation."
source = "Generalization and suppression: Samarati and Sweeney (1998); greedy steps with a loss: Sweeney, International Journal of Uncertainty, Fuzziness and Knowledge-Based Systems 10 (2002); pairs of columns: marginals."
options = ["attack.near", "attack.width", "attack.combinations", "distance.columns", "distance.exclude", "distance.numeric", "distance.categorical", "distance.key", "unit", "seed", "release"]
reads.compares = true
reads.units = ["synthetic", "train", "holdout"]
order = ["step"]
gives.result = "Remedy"
gives.sentences = true
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
other = { type = "text", default = "other", doc = "what rare categories become" }
loss = { type = "number", default = 0.2, above = 0, maximum = 1, doc = "the largest rise of the mean total variation distance of pairs of columns to train that the search may cause" }
tolerance = { type = "number", default = 0.02, minimum = 0, below = 0.5, doc = "as in evaluate" }

[columns]
step = "BIGINT, from 0, the start; the last row is the confirmation, by the people whom the search did not see; the row before it has all people together"
column_name = "VARCHAR, the column that changes; NULL for the start, for records taken out, and for the confirmation"
action = "VARCHAR: start; a step of the column's ladder, such as 2 digits, 20 groups, month, fewer than 5, level 1, left out, or unchanged; removed, of records; everyone, all people together; confirmation. Later rows of a column replace earlier ones: unnecessary steps go back"
expression = "VARCHAR, the SQL expression of the column after the step, for synthetic, train and the holdout alike; NULL if it is left out"
named = "BIGINT, people of train whom the attacks uniques and learned name, with releases only those whom the releases before do not name; until all attacks are asked, uniques alone"
at_least = "BIGINT, at least so many people of train are given away at the top of the list of an attack, by synthetic alone; until all attacks are asked, of uniques, agreement and density; of uniques alone while these name many"
auc = "DOUBLE, the largest AUC of these attacks"
loss = "DOUBLE, by how much the mean total variation distance of pairs of columns (marginals with k = 2) has risen; pairs of a column that is left out count as 1"
records = "BIGINT, records of synthetic that are left"
level = "VARCHAR, the level of the verdict of evaluate; NULL where it is not asked, as it is bad by the other numbers or whatever is done"
*/
-- What the search finds stands in these columns: synthpriv_sql/remedies.
SELECT
  CAST(NULL AS BIGINT) AS step,
  CAST(NULL AS VARCHAR) AS column_name,
  CAST(NULL AS VARCHAR) AS action,
  CAST(NULL AS VARCHAR) AS expression,
  CAST(NULL AS BIGINT) AS named,
  CAST(NULL AS BIGINT) AS at_least,
  CAST(NULL AS DOUBLE) AS auc,
  CAST(NULL AS DOUBLE) AS loss,
  CAST(NULL AS BIGINT) AS records,
  CAST(NULL AS VARCHAR) AS level
WHERE false
