/*
summary = "Everything that is measured of a synthetic table, one number a row, each with its direction and a sentence."
source = "The functions copies, holdout_share, dcr_summary, nndr_summary, comparison, screen, mda and discernibility."
options = ["distance"]
order = ["position", "variant", "place"]

[parameters]
synthetic = { type = "relation", doc = "the synthetic table" }
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
holdout = { type = "relation", optional = true, doc = "real rows that it never saw" }
quasi_identifiers = { type = "names", optional = true, doc = "columns that together may single somebody out; adds discernibility" }
k = { type = "integer", optional = true, minimum = 1, doc = "smallest equivalence class allowed" }
threshold = { type = "numbers", default = 0.2, above = 0, below = 1, doc = "thresholds of minimum distance accumulation" }

[columns]
section = "VARCHAR: tables, copies, holdout_share, dcr, nndr, comparison, screen, mda, discernibility"
metric = "VARCHAR: as the section, or which of its metrics"
variant = "VARCHAR: which tables, baseline or threshold; NULL where there is one only"
statistic = "VARCHAR"
value = "DOUBLE; a band is 3 for high, 2 for medium, 1 for low expected privacy"
lower = "DOUBLE, lower end of a 95 % interval where there is one"
upper = "DOUBLE, upper end"
better = "VARCHAR: higher or lower, where one of the two means more privacy (for resemblance: more use)"
meaning = "VARCHAR, what the number says"
*/
WITH measured AS (
  SELECT 'synthetic_train' AS comparison, metric, position, value
  FROM nearness(queries := synthetic, train := train, partial := true)

  UNION ALL

  SELECT 'holdout_train' AS comparison, metric, position, value
  FROM nearness(queries := holdout, train := train, partial := true)
  WHERE $holdout IS NOT NULL

  UNION ALL

  SELECT 'train_train' AS comparison, metric, position, value
  FROM nearness(queries := train, train := train, exclude_self := true, partial := true)
),
-- Each of the following is narrow on its own: section, position, metric, variant, statistic, place, value, …
tables AS (
  SELECT 'synthetic' AS variant, 1 AS place, count(*) AS records FROM encoded(synthetic)
  UNION ALL
  SELECT 'train' AS variant, 2 AS place, count(*) AS records FROM encoded(train)
  UNION ALL
  SELECT 'holdout' AS variant, 3 AS place, count(*) AS records FROM encoded(holdout) WHERE $holdout IS NOT NULL
),
copied AS (
  SELECT
    count(*) AS n,
    count(*) FILTER (WHERE copies > 0) AS records,
    CAST(count(*) FILTER (WHERE copies > 0) AS DOUBLE) / nullif(count(*), 0) AS share
  FROM copies(synthetic := synthetic, train := train)
),
shares AS (
  SELECT *
  FROM holdout_share(synthetic := synthetic, train := train, holdout := holdout)
  WHERE $holdout IS NOT NULL
),
screening AS (
  SELECT
    count(*) AS n,
    count(*) FILTER (WHERE is_copy OR is_dcr_below OR is_nndr_below) AS flagged,
    CAST(count(*) FILTER (WHERE is_copy OR is_dcr_below OR is_nndr_below) AS DOUBLE) / nullif(count(*), 0) AS share
  FROM screened(synthetic := synthetic, train := train, holdout := holdout)
),
classes AS (
  SELECT 'synthetic' AS variant, found.*
  FROM class_totals(classes := classes(data := synthetic), k := $k) AS found
  WHERE $quasi_identifiers IS NOT NULL

  UNION ALL

  SELECT 'train' AS variant, found.*
  FROM class_totals(classes := classes(data := train), k := $k) AS found
  WHERE $quasi_identifiers IS NOT NULL
),
numbers AS (
  SELECT
    'tables' AS section, 100 + place AS position, 'tables' AS metric, variant, 'rows' AS statistic, place,
    CAST(records AS DOUBLE) AS value, CAST(NULL AS DOUBLE) AS lower, CAST(NULL AS DOUBLE) AS upper,
    CAST(NULL AS VARCHAR) AS better, 'How many records the table has.' AS meaning
  FROM tables

  UNION ALL

  SELECT 'copies', 200, 'copies', NULL, 'records', 1, records, NULL, NULL, 'lower',
    'Synthetic records that equal a real train record in every compared column.'
  FROM copied

  UNION ALL

  SELECT 'copies', 200, 'copies', NULL, 'share', 2, share, wilson(share, n, -1), wilson(share, n, 1), 'lower',
    'Their share of all synthetic records.'
  FROM copied

  UNION ALL

  SELECT 'holdout_share', 300, 'holdout_share', NULL, 'share', 1, share, lower, upper, 'lower',
    'The share of synthetic records closer to train than to the holdout, ties counted half; above expected, synthetic has learned of train what it could not know of real people in general.'
  FROM shares
  WHERE $holdout IS NOT NULL

  UNION ALL

  SELECT 'holdout_share', 300, 'holdout_share', NULL, 'expected', 2, expected, NULL, NULL, NULL,
    'The share where nothing leaks: that of train among all real rows given.'
  FROM shares
  WHERE $holdout IS NOT NULL

  UNION ALL

  SELECT 'holdout_share', 300, 'holdout_share', NULL, 'p_value', 3, p_value, NULL, NULL, 'higher',
    'The chance of so large a share or a larger one where nothing leaks; a small value is evidence of a leak.'
  FROM shares
  WHERE $holdout IS NOT NULL

  UNION ALL

  SELECT 'holdout_share', 300, 'holdout_share', NULL, 'closer', 4, closer, NULL, NULL, NULL,
    'Synthetic records closer to train.'
  FROM shares
  WHERE $holdout IS NOT NULL

  UNION ALL

  SELECT 'holdout_share', 300, 'holdout_share', NULL, 'further', 5, further, NULL, NULL, NULL,
    'Synthetic records closer to the holdout.'
  FROM shares
  WHERE $holdout IS NOT NULL

  UNION ALL

  SELECT 'holdout_share', 300, 'holdout_share', NULL, 'equal', 6, equal, NULL, NULL, NULL,
    'Synthetic records equally close to both.'
  FROM shares
  WHERE $holdout IS NOT NULL

  UNION ALL

  SELECT
    CASE WHEN found.metric = 'dcr' THEN 'dcr' ELSE 'nndr' END,
    CASE found.metric
      WHEN 'dcr' THEN 400
      WHEN 'nndr_second' THEN 500
      WHEN 'nndr_within_synthetic' THEN 510
      WHEN 'nndr_local' THEN 520
      ELSE 530
    END + CASE found.comparison WHEN 'synthetic_train' THEN 0 WHEN 'holdout_train' THEN 1 ELSE 2 END,
    found.metric,
    found.comparison,
    described.statistic,
    described.place,
    CASE described.statistic
      WHEN 'n' THEN found.n
      WHEN 'min' THEN found."min"
      WHEN 'p01' THEN found.p01
      WHEN 'p05' THEN found.p05
      WHEN 'p25' THEN found.p25
      WHEN 'median' THEN found.median
      WHEN 'p75' THEN found.p75
      WHEN 'mean' THEN found.mean
      WHEN 'max' THEN found."max"
      ELSE found.share_zero
    END,
    NULL,
    NULL,
    CASE
      WHEN found.comparison <> 'synthetic_train' OR described.statistic = 'n' THEN NULL
      WHEN described.statistic = 'share_zero' THEN 'lower'
      ELSE 'higher'
    END,
    CASE found.comparison
      WHEN 'synthetic_train' THEN 'Synthetic records to their closest train record: '
      WHEN 'holdout_train' THEN 'Holdout records to their closest train record, as a yardstick: '
      ELSE 'Train records to the closest other train record, as a yardstick: '
    END || described.meaning
  FROM statistics(measured := measured) AS found
  CROSS JOIN described() AS described

  UNION ALL

  SELECT 'comparison', 600 + position, metric, baseline, 'difference_percent', 1, difference_percent, NULL, NULL, 'lower',
    'How much closer synthetic comes to train than the baseline does, in percent of the baseline (median).'
  FROM differences(measured := measured)

  UNION ALL

  SELECT 'comparison', 600 + position, metric, baseline, 'privacy_score', 2, privacy_score, NULL, NULL, 'higher',
    '100 less that difference; 100 and more: synthetic comes no closer than real rows do.'
  FROM differences(measured := measured)

  UNION ALL

  SELECT 'comparison', 600 + position, metric, baseline, 'privacy_score_clipped', 3, privacy_score_clipped, NULL, NULL, 'higher',
    'The same, kept between 0 and 100.'
  FROM differences(measured := measured)

  UNION ALL

  SELECT 'comparison', 600 + position, metric, baseline, 'band', 4,
    CASE band WHEN 'high' THEN 3 WHEN 'medium' THEN 2 WHEN 'low' THEN 1 END, NULL, NULL, 'higher',
    'Expected privacy: 3 is high (difference under 10 %), 2 medium, 1 low (over 50 %).'
  FROM differences(measured := measured)

  UNION ALL

  SELECT 'screen', 700, 'screen', NULL, 'flagged', 1, flagged, NULL, NULL, 'lower',
    'Synthetic records that are copies, or closer to train than 95 % of real rows are.'
  FROM screening

  UNION ALL

  SELECT 'screen', 700, 'screen', NULL, 'share', 2, share, wilson(share, n, -1), wilson(share, n, 1), 'lower',
    'Their share of all synthetic records; about 0.05 where nothing leaks.'
  FROM screening

  UNION ALL

  SELECT 'mda', 800, 'mda', 'threshold ' || threshold, 'privacy', 1, privacy, NULL, NULL, 'higher',
    'How far apart synthetic and real records keep within the threshold: 1 is perfect, 0 a copy.'
  FROM mda(a := synthetic, b := train, threshold := $threshold)

  UNION ALL

  SELECT 'mda', 800, 'mda', 'threshold ' || threshold, 'privacy_area', 2, privacy_area, NULL, NULL, 'lower',
    'The area that privacy is 1 less of.'
  FROM mda(a := synthetic, b := train, threshold := $threshold)

  UNION ALL

  SELECT 'mda', 800, 'mda', 'threshold ' || threshold, 'resemblance', 3, resemblance, NULL, NULL, 'higher',
    'How alike the two tables are beyond the threshold: 1 is perfect. This is use, not privacy.'
  FROM mda(a := synthetic, b := train, threshold := $threshold)

  UNION ALL

  SELECT 'mda', 800, 'mda', 'threshold ' || threshold, 'tradeoff_area', 4, tradeoff_area, NULL, NULL, 'higher',
    'The area under resemblance as a function of privacy over all thresholds.'
  FROM mda(a := synthetic, b := train, threshold := $threshold)

  UNION ALL

  SELECT 'discernibility', 900, 'discernibility', variant, 'discernibility', 1, discernibility, NULL, NULL, NULL,
    'Each record counts as many as it cannot be told from by the quasi-identifiers; more hides better and tells less.'
  FROM classes
  WHERE $quasi_identifiers IS NOT NULL

  UNION ALL

  SELECT 'discernibility', 900, 'discernibility', variant, 'classes', 2, classes, NULL, NULL, NULL,
    'Equivalence classes: different combinations of the quasi-identifiers.'
  FROM classes
  WHERE $quasi_identifiers IS NOT NULL

  UNION ALL

  SELECT 'discernibility', 900, 'discernibility', variant, 'smallest_class', 3, smallest_class, NULL, NULL, 'higher',
    'The smallest class: the k of the table''s k-anonymity.'
  FROM classes
  WHERE $quasi_identifiers IS NOT NULL

  UNION ALL

  SELECT 'discernibility', 900, 'discernibility', variant, 'average_class_size', 4, average_class_size, NULL, NULL,
    'higher', 'Records per class on average.'
  FROM classes
  WHERE $quasi_identifiers IS NOT NULL

  UNION ALL

  SELECT 'discernibility', 900, 'discernibility', variant, 'rows_below_k', 5, rows_below_k, NULL, NULL, 'lower',
    'Records in classes smaller than k.'
  FROM classes
  WHERE $quasi_identifiers IS NOT NULL AND $k IS NOT NULL

  UNION ALL

  SELECT 'discernibility', 900, 'discernibility', variant, 'classes_below_k', 6, classes_below_k, NULL, NULL, 'lower',
    'Classes smaller than k.'
  FROM classes
  WHERE $quasi_identifiers IS NOT NULL AND $k IS NOT NULL

  UNION ALL

  SELECT 'discernibility', 900, 'discernibility', variant, 'c_avg', 7, c_avg, NULL, NULL, NULL,
    'Average class size over k: 1 is the best a k-anonymous table can do for use.'
  FROM classes
  WHERE $quasi_identifiers IS NOT NULL AND $k IS NOT NULL

  UNION ALL

  SELECT 'discernibility', 900, 'discernibility', variant, 'ratio_to_best', 8, ratio_to_best, NULL, NULL, NULL,
    'Discernibility over the least that classes of at least k can have.'
  FROM classes
  WHERE $quasi_identifiers IS NOT NULL AND $k IS NOT NULL
)
SELECT section, position, metric, variant, statistic, place, value, lower, upper, better, meaning
FROM numbers
