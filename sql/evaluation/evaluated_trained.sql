/*
summary = "Section attribute_inference of evaluate: what a model trained on synthetic tells of people of train beyond what it tells of others."
part = true
tables = ["synthetic", "train", "holdout"]

[parameters]
known = { type = "names", optional = true, doc = "as in evaluate" }
secrets = { type = "names", optional = true, doc = "as in evaluate" }
false_discovery = { type = "number", default = 0.05, doc = "as in evaluate" }
among = { type = "text", default = "known", doc = "the columns that are compared" }

[numbers]
"secrets and holdout" = [
  "attribute_inference.{secrets}.{trained_rate,trained_control,trained_others,trained_excess}",
  "attribute_inference.{secrets}.{auc,p_value,at_least,listed,top_p_value,read}",
]
*/
WITH words AS (
  SELECT 'trained_rate' AS statistic, 5 AS place, 'lower' AS better,
    'How often the guess of a model trained on synthetic is right, for people of train.' AS meaning
  UNION ALL SELECT 'trained_control', 6, NULL, 'The same for holdout records: what synthetic tells of people like them.'
  UNION ALL SELECT 'trained_others', 7, NULL, 'How often a model trained on other real people is right.'
  UNION ALL SELECT 'trained_excess', 8, 'lower',
    'How much more often the model is right about people of train than about strangers; what is true of both is no leak of a person.'
  UNION ALL SELECT 'auc', 9, 'lower',
    'How often synthetic makes the true value of somebody of train likelier, beside other people, than that of somebody of the holdout; 0.5 without a leak.'
  UNION ALL SELECT 'p_value', 10, 'higher', 'The probability of a value at least this large if nothing leaks; a small one is evidence of a leak.'
  UNION ALL SELECT 'at_least', 11, 'lower',
    'At least so many people of train have this secret given away: chance does not explain them (95 %, for all secrets together).'
  UNION ALL SELECT 'listed', 12, NULL, 'How many people of train the top of that list has, among them those given away.'
  UNION ALL SELECT 'top_p_value', 13, 'higher', 'The probability of so many people of train among the first 8 to 512 of the list if nothing leaks.'
  UNION ALL SELECT 'read', 14, 'lower', 'People of train whose secret counts as read: too few others have scores as high.'
)
SELECT
  'attribute_inference' AS section, 3000 + found.position AS position, 'attribute_inference' AS metric,
  found.secret AS variant, words.*,
  CASE words.statistic
    WHEN 'trained_rate' THEN found.rate
    WHEN 'trained_control' THEN found.control
    WHEN 'trained_others' THEN found.others
    WHEN 'trained_excess' THEN found.excess
    WHEN 'auc' THEN found.auc
    WHEN 'p_value' THEN found.p_value
    WHEN 'at_least' THEN CAST(found.at_least AS DOUBLE)
    WHEN 'listed' THEN CAST(found.listed AS DOUBLE)
    WHEN 'top_p_value' THEN found.top_p_value
    ELSE CAST(found.read AS DOUBLE)
  END AS value,
  CASE words.statistic WHEN 'trained_excess' THEN found.excess_lower WHEN 'auc' THEN found.auc_lower END AS lower,
  CASE words.statistic WHEN 'trained_excess' THEN found.excess_upper WHEN 'auc' THEN found.auc_upper END AS upper
FROM attribute_inference(
  synthetic := synthetic, train := train, holdout := holdout, known := $known, secrets := $secrets, attack := ['learned'],
  false_discovery := $false_discovery
) AS found
CROSS JOIN words
