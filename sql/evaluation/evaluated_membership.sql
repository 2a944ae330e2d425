/*
summary = "Section membership of evaluate: how well attacks identify members of train from synthetic alone."
part = true
options = ["attack.most"]
tables = ["synthetic", "train", "holdout"]

[parameters]
attack = { type = "names", default = ["distance", "density", "agreement", "agreement_near", "uniques", "learned"], doc = "as in evaluate" }
scores = { type = "relation", optional = true, columns = ["score"], doc = "scores of the user's own attacks" }

[numbers]
holdout = [
  "membership.{attack}.{auc,p_value,p_adjusted,advantage,epsilon_lower,traced_lower}",
  "membership.{attack}.{at_least,listed,top_p_value}",
  "membership.learned.asked",
  "membership.noticed",
  "membership.{attack}.{found_at_1_per_1000,found_at_1_per_100,found_at_1_per_10}",
]
*/
WITH words AS (
  SELECT 'auc' AS statistic, 1 AS place, CAST(NULL AS DOUBLE) AS false_positive_rate, 'lower' AS better,
    'The chance that the attack gives somebody of train a higher score than somebody of the holdout; 0.5 where nothing is learned.' AS meaning
  UNION ALL SELECT 'p_value', 2, NULL, 'higher',
    'The probability of a value at least this large if nothing leaks; a small one is evidence of a leak.'
  UNION ALL SELECT 'p_adjusted', 3, NULL, 'higher', 'The same where the best of these attacks is picked (Holm).'
  UNION ALL SELECT 'advantage', 4, NULL, 'lower', 'The largest difference between the rates of true and false positives.'
  UNION ALL SELECT 'epsilon_lower', 5, NULL, 'lower',
    'The largest epsilon of differential privacy that this run refutes at 95 %, if a coin decided for each record whether it is in train; 0 says nothing.'
  UNION ALL SELECT 'traced_lower', 6, NULL, 'lower',
    'At least this share of train has left a trace, at 95 % and whatever the threshold.'
  UNION ALL SELECT 'found_at_1_per_1000', 7, 0.001, 'lower', 'The share of train that is found if one of 1,000 others may be taken for it.'
  UNION ALL SELECT 'found_at_1_per_100', 8, 0.01, 'lower', 'The share of train that is found if one of 100 others may be taken for it.'
  UNION ALL SELECT 'found_at_1_per_10', 9, 0.1, 'lower', 'The share of train that is found if one of 10 others may be taken for it.'
  UNION ALL SELECT 'at_least', 10, NULL, 'lower',
    'At least so many people of train are given away at the top of the list of this attack: chance does not explain them (95 %, for all attacks and lengths of the list).'
  UNION ALL SELECT 'listed', 11, NULL, NULL, 'How many people of train that part of the list has, among them those given away.'
  UNION ALL SELECT 'top_p_value', 12, NULL, 'higher',
    'The probability of so many people of train among the first 8 to 512 of the list if nothing leaks; a small one is evidence that a few are given away.'
  UNION ALL SELECT 'asked', 13, NULL, NULL, 'At most so many people of each side, drawn with the seed, were scored; there are more.'
)
SELECT
  'membership' AS section, 20 + found.position AS position, 'membership' AS metric, found.attack AS variant,
  words.statistic, words.place, words.better, words.meaning,
  CASE words.statistic
    WHEN 'auc' THEN found.auc
    WHEN 'p_value' THEN found.p_value
    WHEN 'p_adjusted' THEN found.p_adjusted
    WHEN 'advantage' THEN found.advantage
    WHEN 'epsilon_lower' THEN found.epsilon_lower
    WHEN 'traced_lower' THEN found.traced_lower
    WHEN 'at_least' THEN CAST(found.at_least AS DOUBLE)
    WHEN 'listed' THEN CAST(found.listed AS DOUBLE)
    WHEN 'top_p_value' THEN found.top_p_value
    WHEN 'asked' THEN CAST($most AS DOUBLE)
    ELSE found.true_positive_rate
  END AS value,
  CASE WHEN words.statistic = 'auc' THEN found.auc_lower WHEN words.false_positive_rate IS NOT NULL THEN found.lower END AS lower,
  CASE WHEN words.statistic = 'auc' THEN found.auc_upper WHEN words.false_positive_rate IS NOT NULL THEN found.upper END AS upper
FROM membership(
  synthetic := synthetic, train := train, holdout := holdout, attack := $attack, scores := scores,
  false_positive_rates := [0.001, 0.01, 0.1]
) AS found
JOIN words ON coalesce(words.false_positive_rate, 0.001) = found.false_positive_rate
CROSS JOIN split_units(train := train, holdout := holdout) AS units
WHERE words.statistic <> 'asked'
  OR found.attack = 'learned' AND greatest(units.train_units, units.holdout_units) > $most

UNION ALL

-- A p-value of 0.001 needs 3.09 standard deviations; an effect of 1.28 more is detected with probability 0.9.
SELECT
  'membership', 19, 'membership', CAST(NULL AS VARCHAR), 'noticed', 0, CAST(NULL AS VARCHAR),
  'An attack with this chance of telling somebody of train from somebody of the holdout would have been noticed in nine cases of ten.',
  0.5 + 4.37 * sqrt((units.train_units + units.holdout_units + 1) / (12 * units.train_units * units.holdout_units)),
  CAST(NULL AS DOUBLE), CAST(NULL AS DOUBLE)
FROM split_units(train := train, holdout := holdout) AS units
