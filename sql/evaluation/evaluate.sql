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
summaries AS (
  SELECT
    *,
    -- With a holdout that is the baseline, else train within itself.
    max(CASE WHEN comparison = CASE WHEN $holdout IS NULL THEN 'train_train' ELSE 'holdout_train' END THEN median END)
      OVER (PARTITION BY metric) AS baseline_value,
    max(CASE WHEN comparison = 'synthetic_train' THEN median END) OVER (PARTITION BY metric) AS synthetic_value
  FROM statistics(measured := measured)
),
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
-- Each part is read once, beside the meanings of its numbers: not every database keeps what several places read.
numbers AS (
  SELECT
    described.section,
    100 + tables.place AS position,
    described.section AS metric,
    tables.variant,
    described.statistic,
    tables.place,
    CAST(tables.records AS DOUBLE) AS value,
    CAST(NULL AS DOUBLE) AS lower,
    CAST(NULL AS DOUBLE) AS upper,
    described.better,
    described.meaning
  FROM tables
  CROSS JOIN described(k := $k) AS described
  WHERE described.section = 'tables'

  UNION ALL

  SELECT
    described.section,
    200,
    described.section,
    NULL,
    described.statistic,
    described.place,
    CASE described.statistic WHEN 'records' THEN CAST(copied.records AS DOUBLE) ELSE copied.share END,
    CASE WHEN described.statistic = 'share' THEN wilson(copied.share, copied.n, -1) END,
    CASE WHEN described.statistic = 'share' THEN wilson(copied.share, copied.n, 1) END,
    described.better,
    described.meaning
  FROM copied
  CROSS JOIN described(k := $k) AS described
  WHERE described.section = 'copies'

  UNION ALL

  SELECT
    described.section,
    300,
    described.section,
    NULL,
    described.statistic,
    described.place,
    CASE described.statistic
      WHEN 'share' THEN shares.share
      WHEN 'expected' THEN shares.expected
      WHEN 'p_value' THEN shares.p_value
      WHEN 'closer' THEN CAST(shares.closer AS DOUBLE)
      WHEN 'further' THEN CAST(shares.further AS DOUBLE)
      ELSE CAST(shares.equal AS DOUBLE)
    END,
    CASE WHEN described.statistic = 'share' THEN shares.lower END,
    CASE WHEN described.statistic = 'share' THEN shares.upper END,
    described.better,
    described.meaning
  FROM shares
  CROSS JOIN described(k := $k) AS described
  WHERE $holdout IS NOT NULL AND described.section = 'holdout_share'

  UNION ALL

  SELECT
    CASE
      WHEN described.section = 'comparison' THEN described.section
      WHEN found.metric = 'dcr' THEN 'dcr'
      ELSE 'nndr'
    END,
    CASE
      WHEN described.section = 'comparison' THEN CASE found.metric
        WHEN 'dcr' THEN 601
        WHEN 'nndr_second' THEN 602
        WHEN 'nndr_within_synthetic' THEN 603
        WHEN 'nndr_local' THEN 604
        ELSE 605
      END
      ELSE CASE found.metric
        WHEN 'dcr' THEN 400
        WHEN 'nndr_second' THEN 500
        WHEN 'nndr_within_synthetic' THEN 510
        WHEN 'nndr_local' THEN 520
        ELSE 530
      END + CASE found.comparison WHEN 'synthetic_train' THEN 0 WHEN 'holdout_train' THEN 1 ELSE 2 END
    END,
    found.metric,
    CASE WHEN described.section = 'comparison' THEN found.baseline ELSE found.comparison END,
    described.statistic,
    described.place,
    CASE described.statistic
      WHEN 'n' THEN CAST(found.n AS DOUBLE)
      WHEN 'min' THEN found."min"
      WHEN 'p01' THEN found.p01
      WHEN 'p05' THEN found.p05
      WHEN 'p25' THEN found.p25
      WHEN 'median' THEN found.median
      WHEN 'p75' THEN found.p75
      WHEN 'mean' THEN found.mean
      WHEN 'max' THEN found."max"
      WHEN 'share_zero' THEN found.share_zero
      WHEN 'difference_percent' THEN found.difference_percent
      WHEN 'privacy_score' THEN found.privacy_score
      WHEN 'privacy_score_clipped' THEN found.privacy_score_clipped
      ELSE CASE found.band WHEN 'high' THEN 3.0 WHEN 'medium' THEN 2.0 WHEN 'low' THEN 1.0 END
    END,
    NULL,
    NULL,
    CASE WHEN found.comparison = 'synthetic_train' THEN described.better END,
    CASE
      WHEN described.section = 'comparison' THEN ''
      WHEN found.comparison = 'synthetic_train' THEN 'Synthetic records to their closest train record: '
      WHEN found.comparison = 'holdout_train' THEN 'Holdout records to their closest train record, as a yardstick: '
      ELSE 'Train records to the closest other train record, as a yardstick: '
    END || described.meaning
  FROM differences(compared := summaries) AS found
  CROSS JOIN described(k := $k) AS described
  WHERE described.section = 'distances' OR described.section = 'comparison' AND found.comparison = 'synthetic_train'

  UNION ALL

  SELECT
    described.section,
    700,
    described.section,
    NULL,
    described.statistic,
    described.place,
    CASE described.statistic WHEN 'flagged' THEN CAST(screening.flagged AS DOUBLE) ELSE screening.share END,
    CASE WHEN described.statistic = 'share' THEN wilson(screening.share, screening.n, -1) END,
    CASE WHEN described.statistic = 'share' THEN wilson(screening.share, screening.n, 1) END,
    described.better,
    described.meaning
  FROM screening
  CROSS JOIN described(k := $k) AS described
  WHERE described.section = 'screen'

  UNION ALL

  SELECT
    described.section,
    800,
    described.section,
    'threshold ' || found.threshold,
    described.statistic,
    described.place,
    CASE described.statistic
      WHEN 'privacy' THEN found.privacy
      WHEN 'privacy_area' THEN found.privacy_area
      WHEN 'resemblance' THEN found.resemblance
      ELSE found.tradeoff_area
    END,
    NULL,
    NULL,
    described.better,
    described.meaning
  FROM mda(a := synthetic, b := train, threshold := $threshold) AS found
  CROSS JOIN described(k := $k) AS described
  WHERE described.section = 'mda'

  UNION ALL

  SELECT
    described.section,
    900,
    described.section,
    classes.variant,
    described.statistic,
    described.place,
    CASE described.statistic
      WHEN 'discernibility' THEN CAST(classes.discernibility AS DOUBLE)
      WHEN 'classes' THEN CAST(classes.classes AS DOUBLE)
      WHEN 'smallest_class' THEN CAST(classes.smallest_class AS DOUBLE)
      WHEN 'average_class_size' THEN classes.average_class_size
      WHEN 'rows_below_k' THEN CAST(classes.rows_below_k AS DOUBLE)
      WHEN 'classes_below_k' THEN CAST(classes.classes_below_k AS DOUBLE)
      WHEN 'c_avg' THEN classes.c_avg
      ELSE classes.ratio_to_best
    END,
    NULL,
    NULL,
    described.better,
    described.meaning
  FROM classes
  CROSS JOIN described(k := $k) AS described
  WHERE $quasi_identifiers IS NOT NULL AND described.section = 'discernibility'
)
SELECT section, position, metric, variant, statistic, place, value, lower, upper, better, meaning
FROM numbers
