/*
summary = "How often an attacker can link two sets of columns of a person through a common nearest synthetic record, compared with people who were not in the training data."
source = "Linkability, for all records and with a control: Giomi et al., PoPETs 2023; intervals: propagated from Wilson intervals."
reads.groups = ["known", "other"]
options = ["distance.metric", "distance.scaling", "distance.numeric", "distance.categorical", "distance.weights", "distance.category_mismatch", "distance.vectors"]
reads.vector_groups = ["known", "other"]
reads.compares = true
order = ["k"]
run.few = true
example = { synthetic = "synthetic", train = "train", known = ["city"], other = ["n", "x"], k = [1, 3] }
tables = ["synthetic", "train"]

[parameters]
known = { type = "names", doc = "the columns of the first source" }
other = { type = "names", doc = "the columns of the second source" }
holdout = { type = "relation", optional = true, doc = "real rows that it never saw: the control" }
k = { type = "numbers", default = [1.0, 5.0, 10.0], minimum = 1, whole = true, doc = "number of nearest records of each source that may contain the common record; a list gives one row per value" }

[columns]
k = "BIGINT"
n = "BIGINT, train records"
hits = "BIGINT, train records whose k nearest by known and k nearest by other share a synthetic record (ties: the smallest record numbers)"
rate = "DOUBLE, hits / n"
control = "DOUBLE, the rate for holdout records; NULL without a holdout, like all columns below"
risk = "DOUBLE, (rate - control) / (1 - control): the increase over the control as a share of the largest possible increase"
lower = "DOUBLE, lower end of a 95 % interval of risk"
upper = "DOUBLE, upper end"
*/
WITH links AS (
  SELECT CAST(this_value AS BIGINT) AS k, 'train' AS side, found.first_shared
  FROM each_value($k)
  CROSS JOIN shared_neighbors(records := train, synthetic := synthetic, train := train, k := this_value) AS found

  UNION ALL

  SELECT CAST(this_value AS BIGINT) AS k, 'holdout' AS side, found.first_shared
  FROM each_value($k)
  CROSS JOIN shared_neighbors(records := holdout, synthetic := synthetic, train := train, k := this_value) AS found
  WHERE $holdout IS NOT NULL
),
counts AS (
  SELECT
    k,
    count(CASE WHEN side = 'train' THEN 1 END) AS n,
    count(CASE WHEN side = 'train' AND first_shared <= k THEN 1 END) AS hits,
    count(CASE WHEN side = 'holdout' THEN 1 END) AS control_n,
    count(CASE WHEN side = 'holdout' AND first_shared <= k THEN 1 END) AS control_hits
  FROM links
  GROUP BY k
),
shares AS (
  SELECT
    k,
    n,
    hits,
    CAST(hits AS DOUBLE) / nullif(n, 0) AS rate,
    control_n,
    CAST(control_hits AS DOUBLE) / nullif(control_n, 0) AS control
  FROM counts
)
SELECT
  k,
  n,
  hits,
  rate,
  control,
  residual(rate, control) AS risk,
  residual_end(rate, n, control, control_n, -1) AS lower,
  residual_end(rate, n, control, control_n, 1) AS upper
FROM shares
