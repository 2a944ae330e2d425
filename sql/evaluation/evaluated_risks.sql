/*
summary = "Sections identifiability, hit_rate, adversarial_accuracy and singling_out of evaluate, for people of train and for others."
part = true
tables = ["synthetic", "train", "holdout?"]

[numbers]
risks = ["identifiability.share", "hit_rate.share", "adversarial_accuracy.accuracy", "singling_out.rate"]
"risks and holdout" = ["identifiability.{control,excess}", "hit_rate.{control,excess}", "adversarial_accuracy.{control,privacy_loss}", "singling_out.{control,risk}"]
*/
WITH found AS (
  SELECT 'identifiability' AS section, 5000 AS position, share AS value, control, excess AS added,
    CAST(NULL AS DOUBLE) AS lower, CAST(NULL AS DOUBLE) AS upper, lower AS value_lower, upper AS value_upper
  FROM identifiability(synthetic := synthetic, train := train, holdout := holdout)

  UNION ALL

  SELECT 'hit_rate', 5010, share, control, excess, NULL, NULL, lower, upper
  FROM hit_rate(synthetic := synthetic, train := train, holdout := holdout)

  UNION ALL

  SELECT 'adversarial_accuracy', 5020, accuracy, holdout_accuracy, privacy_loss, lower, upper, NULL, NULL
  FROM adversarial_accuracy(synthetic := synthetic, train := train, holdout := holdout)

  UNION ALL

  SELECT 'singling_out', 5030, rate, control, risk, lower, upper, NULL, NULL
  FROM singling_out(synthetic := synthetic, train := train, holdout := holdout)
),
words AS (
  SELECT 'identifiability' AS section, 'share' AS statistic, 1 AS place, 'lower' AS better,
    'Train records that are closer to a synthetic record than to any other train record, as a share of all.' AS meaning
  UNION ALL SELECT 'identifiability', 'control', 2, CAST(NULL AS VARCHAR), 'The same of holdout records among themselves.'
  UNION ALL SELECT 'identifiability', 'excess', 3, 'lower', 'The difference between the two shares.'
  UNION ALL SELECT 'hit_rate', 'share', 1, 'lower',
    'Train records that a synthetic record meets: equal categories, and each number within a thirtieth of its range.'
  UNION ALL SELECT 'hit_rate', 'control', 2, NULL, 'The same of holdout records.'
  UNION ALL SELECT 'hit_rate', 'excess', 3, 'lower', 'The difference between the two shares.'
  UNION ALL SELECT 'adversarial_accuracy', 'accuracy', 1, NULL,
    'How well the nearest neighbor tells synthetic from train: one half where it cannot, 0 for copies, 1 for tables that are far apart.'
  UNION ALL SELECT 'adversarial_accuracy', 'control', 2, NULL, 'The same of synthetic and the holdout.'
  UNION ALL SELECT 'adversarial_accuracy', 'privacy_loss', 3, 'lower', 'The holdout''s accuracy minus that of train: above 0, synthetic is closer to train.'
  UNION ALL SELECT 'singling_out', 'rate', 1, 'lower',
    'How often a predicate on one column that only one synthetic record matches also matches only one train record.'
  UNION ALL SELECT 'singling_out', 'control', 2, NULL, 'How often it matches only one holdout record, among as many.'
  UNION ALL SELECT 'singling_out', 'risk', 3, 'lower', 'The increase of the rate by being in the training data, as a share of the largest possible increase.'
)
SELECT
  found.section,
  found.position,
  found.section AS metric,
  CAST(NULL AS VARCHAR) AS variant,
  words.statistic,
  words.place,
  words.better,
  words.meaning,
  CASE words.place WHEN 1 THEN found.value WHEN 2 THEN found.control ELSE found.added END AS value,
  CASE words.place WHEN 1 THEN found.value_lower WHEN 3 THEN found.lower END AS lower,
  CASE words.place WHEN 1 THEN found.value_upper WHEN 3 THEN found.upper END AS upper
FROM found
JOIN words ON words.section = found.section
WHERE words.place = 1 OR $holdout IS NOT NULL
