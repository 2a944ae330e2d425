/*
summary = "How often the synthetic record nearest by the known columns reveals a person's secret columns, compared with people who were not in the training data."
source = "Attribute inference by the nearest record, for all records and with a control: Giomi et al., PoPETs 2023, for the residual risk; intervals: propagated from Wilson intervals."
groups = ["known", "secrets"]
options = ["distance.metric", "distance.scaling", "distance.numeric", "distance.categorical", "distance.weights", "distance.category_mismatch", "distance.vectors"]
vector_groups = ["known"]
compares = true
order = ["position"]
few = true
example = { synthetic = "synthetic", train = "train", known = ["city", "n"], secrets = ["x", "id"], tolerance = 0.5 }
tables = ["synthetic", "train"]

[parameters]
known = { type = "names", doc = "the columns that an attacker knows" }
secrets = { type = "names", doc = "the columns that the attacker wants to learn, all in one search" }
holdout = { type = "relation", optional = true, doc = "real rows that it never saw: the control" }
tolerance = { type = "number", default = 0.05, minimum = 0, doc = "a number counts as correct within this share of the true value's magnitude" }

[columns]
secret = "VARCHAR"
n = "BIGINT, train records"
hits = "BIGINT, train records whose secret equals that of the nearest synthetic record (ties: the smallest record number); missing equals missing"
rate = "DOUBLE, hits / n"
tie_fair_rate = "DOUBLE, the mean share of correct records among equally near synthetic records"
baseline = "DOUBLE, the rate of always guessing the most frequent value of synthetic, or the median of a number"
control = "DOUBLE, the rate for holdout records; NULL without a holdout, like all columns below"
risk = "DOUBLE, (rate - control) / (1 - control): the increase over the control as a share of the largest possible increase"
lower = "DOUBLE, lower end of a 95 % interval of risk"
upper = "DOUBLE, upper end"
*/
WITH names AS (
  SELECT this_position AS position, this_name AS secret
  FROM each_column(secrets)
),
rates AS (
  SELECT
    position,
    count(CASE WHEN side = 'train' THEN 1 END) AS n,
    sum(CASE WHEN side = 'train' THEN hit END) AS hits,
    exact_mean(CASE WHEN side = 'train' THEN tie_fair END) AS tie_fair_rate,
    CAST(sum(CASE WHEN side = 'train' THEN default_hit END) AS DOUBLE) AS default_hits,
    count(CASE WHEN side = 'holdout' THEN 1 END) AS control_n,
    CAST(sum(CASE WHEN side = 'holdout' THEN hit END) AS DOUBLE) AS control_hits
  FROM inferred(synthetic := synthetic, train := train, holdout := holdout, tolerance := $tolerance)
  GROUP BY position
),
shares AS (
  SELECT
    position,
    n,
    hits,
    CAST(hits AS DOUBLE) / nullif(n, 0) AS rate,
    tie_fair_rate,
    default_hits / nullif(n, 0) AS baseline,
    control_n,
    control_hits / nullif(control_n, 0) AS control
  FROM rates
)
SELECT
  names.position,
  names.secret,
  coalesce(shares.n, 0) AS n,
  CAST(coalesce(shares.hits, 0) AS BIGINT) AS hits,
  shares.rate,
  shares.tie_fair_rate,
  shares.baseline,
  shares.control,
  residual(shares.rate, shares.control) AS risk,
  residual_end(shares.rate, shares.n, shares.control, shares.control_n, -1) AS lower,
  residual_end(shares.rate, shares.n, shares.control, shares.control_n, 1) AS upper
FROM names
LEFT JOIN shares ON shares.position = names.position
