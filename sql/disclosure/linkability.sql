/*
summary = "How often what somebody knows of a person from two sources leads to one synthetic record, beside the same of people who were never in the data."
source = "Linkability, of all records and with a control: Giomi et al., PoPETs 2023; intervals: distances of Wilson intervals, propagated."
groups = ["known", "other"]
options = ["distance.metric", "distance.scaling", "distance.numeric", "distance.categorical", "distance.weights", "distance.category_mismatch", "distance.vectors"]
vector_groups = ["known", "other"]
compares = true
order = ["k"]
few = true

[parameters]
synthetic = { type = "relation", doc = "the synthetic table" }
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
known = { type = "names", doc = "the columns that the one source knows" }
other = { type = "names", doc = "the columns that the other knows" }
holdout = { type = "relation", optional = true, doc = "real rows that it never saw: the control" }
k = { type = "numbers", default = [1.0, 5.0, 10.0], minimum = 1, whole = true, doc = "neighbors of each source that may be the one record; a list gives a row each" }

[columns]
k = "BIGINT"
n = "BIGINT, train records"
hits = "BIGINT, those of which the k nearest by known and the k nearest by other share a synthetic record, ties to the smallest record numbers"
rate = "DOUBLE, hits / n"
control = "DOUBLE, the rate for holdout records; NULL without a holdout, as all that follow"
risk = "DOUBLE, (rate - control) / (1 - control): what being in the data adds, of what there was to add"
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
