/*
summary = "What the scores of each secret show: how well they tell people of train from others, how many are given away, and how many secrets count as read."
part = true
run.few = true
tables = ["synthetic", "train", "holdout?"]

[parameters]
attack = { type = "text", default = "learned", doc = "only learned has scores" }
tolerance = { type = "number", default = 0.05, doc = "as in attribute_inference" }
false_discovery = { type = "number", default = 0.05, doc = "as in attribute_inference" }

[columns]
secret = "VARCHAR"
auc = "DOUBLE"
auc_lower = "DOUBLE"
auc_upper = "DOUBLE"
p_value = "DOUBLE"
at_least = "BIGINT"
listed = "BIGINT"
top_p_value = "DOUBLE"
read = "BIGINT"
*/
SELECT
  -- Without scores there are no rows, and the casts alone say the types.
  CAST(areas.attack AS VARCHAR) AS secret,
  CAST(areas.auc AS DOUBLE) AS auc,
  CAST(areas.auc_lower AS DOUBLE) AS auc_lower,
  CAST(areas.auc_upper AS DOUBLE) AS auc_upper,
  CAST(areas.p_value AS DOUBLE) AS p_value,
  CAST(tops.at_least AS BIGINT) AS at_least,
  CAST(tops.listed AS BIGINT) AS listed,
  CAST(tops.top_p_value AS DOUBLE) AS top_p_value,
  CAST(named.records AS BIGINT) AS read
FROM attack_statistics(
  roc := roc(scores := secret_scores(synthetic := synthetic, train := train, holdout := holdout, tolerance := $tolerance))
) AS areas
JOIN top_statistics(
  roc := roc(scores := secret_scores(synthetic := synthetic, train := train, holdout := holdout, tolerance := $tolerance))
) AS tops
  ON tops.attack = areas.attack
JOIN (
  SELECT secret, count(CASE WHEN q_value <= $false_discovery THEN 1 END) AS records
  FROM read_secrets(synthetic := synthetic, train := train, holdout := holdout, tolerance := $tolerance)
  GROUP BY secret
) AS named
  ON named.secret = areas.attack
WHERE $attack = 'learned' AND $holdout IS NOT NULL
