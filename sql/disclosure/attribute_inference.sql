/*
summary = "How often synthetic reveals a person's secret columns to somebody who knows others, compared with people who were not in the training data."
source = "Attribute inference by the nearest record, for all records and with a control: Giomi et al., PoPETs 2023, for the residual risk; intervals: propagated from Wilson intervals; excess: Newcombe, Statistics in Medicine 17 (1998); models: see inference_scores."
reads.groups = ["known", "secrets"]
options = ["distance.metric", "distance.scaling", "distance.numeric", "distance.categorical", "distance.weights", "distance.category_mismatch", "distance.vectors", "seed"]
reads.vector_groups = ["known"]
reads.compares = true
order = ["position", "attack_position"]
run.few = true
example = { synthetic = "synthetic", train = "train", known = ["city", "n"], secrets = ["x", "id"], tolerance = 0.5 }
tables = ["synthetic", "train"]

[parameters]
known = { type = "names", doc = "the columns that an attacker knows, or all: all but the secrets" }
secrets = { type = "names", doc = "the columns that the attacker wants to learn, all in one search, or all: all but the known ones (at most 12); where both are all, each column is inferred from the others, by a model only" }
holdout = { type = "relation", optional = true, doc = "real rows that it never saw: the control" }
tolerance = { type = "number", default = 0.05, minimum = 0, doc = "a number counts as correct within this share of the true value's magnitude, a time within this share of the range of real times" }
attack = { type = "names", default = ["nearest"], choices = ["nearest", "learned"], doc = "how the attacker guesses: nearest, the secret of the nearest synthetic record; learned, by a model trained on synthetic; or both" }
false_discovery = { type = "number", default = 0.05, above = 0, below = 1, doc = "learned: the expected share of false ones among the secrets that count as read" }

[columns]
secret = "VARCHAR"
n = "BIGINT, train records"
hits = "BIGINT, train records whose secret equals that of the nearest synthetic record (ties: the smallest record number), or the guess of the model; missing equals missing"
rate = "DOUBLE, hits / n"
tie_fair_rate = "DOUBLE, nearest: the mean share of correct records among equally near synthetic records"
baseline = "DOUBLE, the rate of always guessing the most frequent value of synthetic, or the median of a number"
control = "DOUBLE, the rate for holdout records; NULL without a holdout, like all columns below but attack and others"
risk = "DOUBLE, (rate - control) / (1 - control): the increase over the control as a share of the largest possible increase"
lower = "DOUBLE, lower end of a 95 % interval of risk"
upper = "DOUBLE, upper end"
attack = "VARCHAR, nearest or learned"
excess = "DOUBLE, rate - control: what is guessed of people of train and not of strangers"
excess_lower = "DOUBLE, lower end of its 95 % interval"
excess_upper = "DOUBLE, upper end"
others = "DOUBLE, learned, like all columns below: the rate of a model trained on other real people, whom the attacker does not have"
auc = "DOUBLE, how often the score (see inference_scores) is larger for a person of train than for one of the holdout; 0.5 if synthetic tells no more of people of train than of strangers"
auc_lower = "DOUBLE, lower end of the 95 % interval (DeLong); NULL if a side has only one record"
auc_upper = "DOUBLE, upper end"
p_value = "DOUBLE, one-sided: the probability of an auc at least this large without a leak"
at_least = "BIGINT, at least so many people of train have their secret given away beyond what chance explains, as in membership, at 95 % for all secrets at once"
listed = "BIGINT, how many people of train that part of the list has"
top_p_value = "DOUBLE, one-sided: the probability of so many people of train at the top of the list without a leak, as in membership"
read = "BIGINT, how many people of train have a secret that counts as read: their q_value in inference_scores is at most false_discovery"
*/
WITH names AS (
  SELECT columns.position, columns.secret, attacks.attack
  FROM (SELECT this_position AS position, this_name AS secret FROM each_column(secrets)) AS columns
  CROSS JOIN (SELECT this_value AS attack FROM each_value($attack)) AS attacks
),
rates AS (
  SELECT
    this_value AS attack,
    position,
    count(CASE WHEN side = 'train' THEN 1 END) AS n,
    sum(CASE WHEN side = 'train' THEN hit END) AS hits,
    exact_mean(CASE WHEN side = 'train' THEN tie_fair END) AS tie_fair_rate,
    CAST(sum(CASE WHEN side = 'train' THEN default_hit END) AS DOUBLE) AS default_hits,
    CAST(sum(CASE WHEN side = 'train' THEN others_hit END) AS DOUBLE) AS others_hits,
    count(CASE WHEN side = 'holdout' THEN 1 END) AS control_n,
    CAST(sum(CASE WHEN side = 'holdout' THEN hit END) AS DOUBLE) AS control_hits
  FROM each_value($attack)
  CROSS JOIN guessed_secrets(synthetic := synthetic, train := train, holdout := holdout, attack := this_value, tolerance := $tolerance)
  GROUP BY position
),
shares AS (
  SELECT
    attack,
    position,
    n,
    hits,
    CAST(hits AS DOUBLE) / nullif(n, 0) AS rate,
    tie_fair_rate,
    default_hits / nullif(n, 0) AS baseline,
    others_hits / nullif(n, 0) AS others,
    control_n,
    control_hits / nullif(control_n, 0) AS control
  FROM rates
),
told AS (
  SELECT this_value AS attack, found.secret, found.auc, found.auc_lower, found.auc_upper, found.p_value, found.at_least, found.listed,
    found.top_p_value, found.read
  FROM each_value($attack)
  CROSS JOIN told_by_secrets(
    synthetic := synthetic, train := train, holdout := holdout, attack := this_value, tolerance := $tolerance,
    false_discovery := $false_discovery
  ) AS found
)
SELECT
  names.position,
  CASE names.attack WHEN 'nearest' THEN 1 ELSE 2 END AS attack_position,
  names.secret,
  coalesce(shares.n, 0) AS n,
  CAST(coalesce(shares.hits, 0) AS BIGINT) AS hits,
  shares.rate,
  shares.tie_fair_rate,
  shares.baseline,
  shares.control,
  residual(shares.rate, shares.control) AS risk,
  residual_end(shares.rate, shares.n, shares.control, shares.control_n, -1) AS lower,
  residual_end(shares.rate, shares.n, shares.control, shares.control_n, 1) AS upper,
  names.attack,
  shares.rate - shares.control AS excess,
  difference_end(shares.rate, shares.n, shares.control, shares.control_n, -1) AS excess_lower,
  difference_end(shares.rate, shares.n, shares.control, shares.control_n, 1) AS excess_upper,
  shares.others,
  told.auc,
  told.auc_lower,
  told.auc_upper,
  told.p_value,
  told.at_least,
  told.listed,
  told.top_p_value,
  told.read
FROM names
LEFT JOIN shares ON shares.position = names.position AND shares.attack = names.attack
LEFT JOIN told ON told.secret = names.secret AND told.attack = names.attack
