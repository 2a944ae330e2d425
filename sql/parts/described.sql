/*
summary = "The numbers of evaluate: what each is called, whether higher or lower is better, and what it means for a reader."
part = true

[parameters]
k = { type = "integer", optional = true, doc = "as in evaluate; without it, nothing that needs it" }
*/
SELECT
  'tables' AS section, 'rows' AS statistic, 1 AS place, CAST(NULL AS VARCHAR) AS better,
  'How many records the table has.' AS meaning

UNION ALL SELECT 'copies', 'records', 1, 'lower',
  'Synthetic records that equal a real train record in every compared column.'
UNION ALL SELECT 'copies', 'share', 2, 'lower', 'Their share of all synthetic records.'

UNION ALL SELECT 'holdout_share', 'share', 1, 'lower',
  'The share of synthetic records closer to train than to the holdout, ties counted half; above expected, synthetic has learned of train what it could not know of real people in general.'
UNION ALL SELECT 'holdout_share', 'expected', 2, NULL,
  'The share where nothing leaks: that of train among all real rows given.'
UNION ALL SELECT 'holdout_share', 'p_value', 3, 'higher',
  'The chance of so large a share or a larger one where nothing leaks; a small value is evidence of a leak.'
UNION ALL SELECT 'holdout_share', 'closer', 4, NULL, 'Synthetic records closer to train.'
UNION ALL SELECT 'holdout_share', 'further', 5, NULL, 'Synthetic records closer to the holdout.'
UNION ALL SELECT 'holdout_share', 'equal', 6, NULL, 'Synthetic records equally close to both.'

UNION ALL SELECT 'distances', 'n', 1, NULL, 'How many records were measured.'
UNION ALL SELECT 'distances', 'min', 2, 'higher', 'The closest that any record comes.'
UNION ALL SELECT 'distances', 'p01', 3, 'higher', 'One record in a hundred comes closer than this.'
UNION ALL SELECT 'distances', 'p05', 4, 'higher', 'One record in twenty comes closer than this.'
UNION ALL SELECT 'distances', 'p25', 5, 'higher', 'One record in four comes closer than this.'
UNION ALL SELECT 'distances', 'median', 6, 'higher', 'Half of the records come closer than this.'
UNION ALL SELECT 'distances', 'p75', 7, 'higher', 'Three records in four come closer than this.'
UNION ALL SELECT 'distances', 'mean', 8, 'higher', 'The average over all records.'
UNION ALL SELECT 'distances', 'max', 9, 'higher', 'The farthest that any record is.'
UNION ALL SELECT 'distances', 'share_zero', 10, 'lower',
  'The share of records at 0: nothing tells them from a real record.'

UNION ALL SELECT 'comparison', 'difference_percent', 1, 'lower',
  'How much closer synthetic comes to train than the baseline does, in percent of the baseline (median).'
UNION ALL SELECT 'comparison', 'privacy_score', 2, 'higher',
  '100 less that difference; 100 and more: synthetic comes no closer than real rows do.'
UNION ALL SELECT 'comparison', 'privacy_score_clipped', 3, 'higher', 'The same, kept between 0 and 100.'
UNION ALL SELECT 'comparison', 'band', 4, 'higher',
  'Expected privacy: 3 is high (difference under 10 %), 2 medium, 1 low (over 50 %).'

UNION ALL SELECT 'screen', 'flagged', 1, 'lower',
  'Synthetic records that are copies, or closer to train than 95 % of real rows are.'
UNION ALL SELECT 'screen', 'share', 2, 'lower', 'Their share of all synthetic records; about 0.05 where nothing leaks.'

UNION ALL SELECT 'mda', 'privacy', 1, 'higher',
  'How far apart synthetic and real records keep within the threshold: 1 is perfect, 0 a copy.'
UNION ALL SELECT 'mda', 'privacy_area', 2, 'lower', 'The area that privacy is 1 less of.'
UNION ALL SELECT 'mda', 'resemblance', 3, 'higher',
  'How alike the two tables are beyond the threshold: 1 is perfect. This is use, not privacy.'
UNION ALL SELECT 'mda', 'tradeoff_area', 4, 'higher',
  'The area under resemblance as a function of privacy over all thresholds.'

UNION ALL SELECT 'discernibility', 'discernibility', 1, NULL,
  'Each record counts as many as it cannot be told from by the quasi-identifiers; more hides better and tells less.'
UNION ALL SELECT 'discernibility', 'classes', 2, NULL,
  'Equivalence classes: different combinations of the quasi-identifiers.'
UNION ALL SELECT 'discernibility', 'smallest_class', 3, 'higher',
  'The smallest class: the k of the table''s k-anonymity.'
UNION ALL SELECT 'discernibility', 'average_class_size', 4, 'higher', 'Records per class on average.'
UNION ALL SELECT 'discernibility', 'rows_below_k', 5, 'lower', 'Records in classes smaller than k.' WHERE $k IS NOT NULL
UNION ALL SELECT 'discernibility', 'classes_below_k', 6, 'lower', 'Classes smaller than k.' WHERE $k IS NOT NULL
UNION ALL SELECT 'discernibility', 'c_avg', 7, NULL,
  'Average class size over k: 1 is the best a k-anonymous table can do for use.' WHERE $k IS NOT NULL
UNION ALL SELECT 'discernibility', 'ratio_to_best', 8, NULL,
  'Discernibility over the least that classes of at least k can have.' WHERE $k IS NOT NULL
