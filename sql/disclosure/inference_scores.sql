/*
summary = "What synthetic tells of each person's secrets beyond what other real people tell: a score for each person and secret."
source = "A model of the secret trained on synthetic, beside one trained on other real people: the difference of their log-likelihoods, as in the likelihood ratio attack of Carlini et al., IEEE S&P 2022; false discoveries: Benjamini and Hochberg, JRSS B 57 (1995)."
reads.groups = ["known", "secrets"]
options = ["distance.numeric", "distance.categorical", "distance.key", "seed"]
reads.vector_groups = ["known"]
reads.compares = true
reads.vectors = true
order = ["side_position", "record", "position"]
keys = { record = ["train", "holdout"] }
gives.side = "side"
run.not_on = { spark = "it trains models, which runs in Python" }
example = { synthetic = "synthetic", train = "train", holdout = "holdout", known = ["city", "n"], secrets = ["x"], seed = 3 }
tables = ["synthetic", "train", "holdout"]

[parameters]
holdout = { doc = "real rows that it never saw: they show what is learned about people like those of train" }
known = { type = "names", doc = "the columns that an attacker knows, or all: all but the secrets" }
secrets = { type = "names", doc = "the columns that the attacker wants to learn, or all: all but the known ones (at most 12); where both are all, each column is inferred from the others" }
tolerance = { type = "number", default = 0.05, minimum = 0, doc = "a number counts as correct within this share of the true value's magnitude, a time within this share of the range of real times" }

[columns]
side = "VARCHAR, train or holdout: the table of the record"
record = "BIGINT, the record's 0-based position in scan order"
secret = "VARCHAR"
right = "BOOLEAN, whether the guess of the model trained on synthetic is correct; missing equals missing"
others_right = "BOOLEAN, the same for a model trained on other real people of both tables, without their side"
score = "DOUBLE, the logarithm of the probability that the model trained on synthetic gives the true value (a number: its group of 20), minus that of the other model; positive if synthetic tells more"
sure = "DOUBLE, how sure random trees that know synthetic by heart are of the true value: the logarithm of its odds, less half of that by trees of other real people"
q_value = "DOUBLE, the smallest false discovery rate at which the secret counts as read (train only): the holdout shows how often the trees are as sure of strangers; includes the factor for the number of secrets"
*/
SELECT
  found.side,
  CASE found.side WHEN 'train' THEN 1 ELSE 2 END AS side_position,
  found.record,
  names.position,
  names.secret,
  found.hit AS "right",
  found.others_hit AS others_right,
  found.score,
  found.sure,
  read_secrets.q_value
FROM learned_secrets(synthetic := synthetic, train := train, holdout := holdout, tolerance := $tolerance) AS found
JOIN (SELECT this_position AS position, this_name AS secret FROM each_column(secrets)) AS names
  ON names.position = found.position
LEFT JOIN read_secrets(synthetic := synthetic, train := train, holdout := holdout, tolerance := $tolerance) AS read_secrets
  ON found.side = 'train' AND read_secrets.record = found.record AND read_secrets.secret = names.secret
