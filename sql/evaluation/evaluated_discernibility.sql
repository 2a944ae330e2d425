/*
summary = "Section discernibility of evaluate: the equivalence classes of synthetic and of train."
part = true
tables = ["synthetic", "train"]

[parameters]
k = { type = "integer", optional = true, doc = "as in evaluate; without it, nothing that needs it" }

[numbers]
quasi_identifiers = ["discernibility.{synthetic,train}.{discernibility,classes,smallest_class,average_class_size}"]
k = ["discernibility.{synthetic,train}.{rows_below_k,classes_below_k,c_avg,ratio_to_best}"]
*/
WITH found AS (
  SELECT 'synthetic' AS variant, totals.*
  FROM class_totals(classes := classes(data := synthetic), k := $k) AS totals

  UNION ALL

  SELECT 'train' AS variant, totals.*
  FROM class_totals(classes := classes(data := train), k := $k) AS totals
),
words AS (
  SELECT 'discernibility' AS statistic, 1 AS place, CAST(NULL AS VARCHAR) AS better,
    'The sum, over all records, of the number of records with the same quasi-identifiers; less means smaller classes: more utility, but less protection.' AS meaning
  UNION ALL SELECT 'classes', 2, NULL, 'Equivalence classes: different combinations of the quasi-identifiers.'
  UNION ALL SELECT 'smallest_class', 3, 'higher', 'The smallest class: the k of the table''s k-anonymity.'
  UNION ALL SELECT 'average_class_size', 4, 'higher', 'Records per class on average.'
  UNION ALL SELECT 'rows_below_k', 5, 'lower', 'Records in classes smaller than k.' WHERE $k IS NOT NULL
  UNION ALL SELECT 'classes_below_k', 6, 'lower', 'Classes smaller than k.' WHERE $k IS NOT NULL
  UNION ALL SELECT 'c_avg', 7, NULL, 'Average class size over k: 1 is the best a k-anonymous table can do for use.' WHERE $k IS NOT NULL
  UNION ALL SELECT 'ratio_to_best', 8, NULL, 'Discernibility over the least that classes of at least k can have.' WHERE $k IS NOT NULL
)
SELECT
  'discernibility' AS section, 900 AS position, 'discernibility' AS metric, found.variant, words.*,
  CASE words.statistic
    WHEN 'discernibility' THEN CAST(found.discernibility AS DOUBLE)
    WHEN 'classes' THEN CAST(found.classes AS DOUBLE)
    WHEN 'smallest_class' THEN CAST(found.smallest_class AS DOUBLE)
    WHEN 'average_class_size' THEN found.average_class_size
    WHEN 'rows_below_k' THEN CAST(found.rows_below_k AS DOUBLE)
    WHEN 'classes_below_k' THEN CAST(found.classes_below_k AS DOUBLE)
    WHEN 'c_avg' THEN found.c_avg
    ELSE found.ratio_to_best
  END AS value,
  CAST(NULL AS DOUBLE) AS lower, CAST(NULL AS DOUBLE) AS upper
FROM found
CROSS JOIN words
