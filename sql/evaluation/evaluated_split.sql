/*
summary = "Section split of evaluate: whether train and the holdout come from the same population, and which columns of synthetic have other values than real rows."
part = true
tables = ["synthetic", "train", "holdout"]

[numbers]
holdout = ["split.{differs,auc}", "split.*.{differs,number,distance,unseen,expected_unseen}"]
*/
WITH found AS (
  SELECT * FROM split_check(train := train, holdout := holdout, synthetic := synthetic)
),
numbers AS (
  SELECT this_name AS column_name
  FROM each_column(numeric)
),
words AS (
  SELECT 'differs' AS statistic, 1 AS place, 'lower' AS better,
    '1 where train and the holdout are not two halves of the same people; of a column of synthetic, where its values are not those of real rows.' AS meaning
  UNION ALL SELECT 'auc', 2, 'lower',
    'The control: how well a classifier tells train from the holdout without synthetic; an attack that does no better shows no leak.'
  UNION ALL SELECT 'number', 3, NULL, '1 where the column holds numbers or times.'
  UNION ALL SELECT 'distance', 4, 'lower', 'How far the holdout is from train in this column, from 0 to 1.'
  UNION ALL SELECT 'unseen', 5, 'lower', 'The share of the holdout whose value no row of train has.'
  UNION ALL SELECT 'expected_unseen', 6, NULL, 'The share of train whose value no other row of train has.'
)
SELECT
  'split' AS section, CASE WHEN found.column_name IS NULL THEN 90 ELSE 91 END AS position, 'split' AS metric, found.column_name AS variant, words.statistic, words.place, words.better,
  CASE WHEN words.statistic = 'differs' THEN coalesce(found.reason, words.meaning) ELSE words.meaning END AS meaning,
  CASE words.statistic
    WHEN 'differs' THEN CASE WHEN found.differs THEN 1.0 ELSE 0.0 END
    WHEN 'auc' THEN found.auc
    WHEN 'number' THEN CASE WHEN numbers.column_name IS NULL THEN 0.0 ELSE 1.0 END
    WHEN 'distance' THEN found.statistic
    WHEN 'unseen' THEN found.unseen
    ELSE found.expected_unseen
  END AS value,
  CASE WHEN words.statistic = 'auc' THEN found.lower END AS lower,
  CASE WHEN words.statistic = 'auc' THEN found.upper END AS upper
FROM found
LEFT JOIN numbers ON CAST(numbers.column_name AS VARCHAR) = found.column_name
JOIN words ON words.statistic = 'differs'
  OR (words.statistic = 'auc' AND found.column_name IS NULL)
  OR (words.place > 2 AND found.column_name IS NOT NULL AND found.differs)
