/*
summary = "The distribution of each metric and comparison: the share of records in bins of equal width, and in an overflow bin."
part = true

[parameters]
measured = { type = "relation", doc = "rows of metric, comparison and value" }
covered = { type = "number", default = 0.99, doc = "the share of the records of each comparison that the bins cover" }
bins = { type = "integer", default = 50, doc = "number of bins up to there" }
*/
-- Outliers would squeeze all others into the first bins: the scale covers most records of each comparison, and a last
-- bin without an upper end has the rest. Bins include their lower end.
WITH ends AS (
  SELECT metric, comparison, quantile_cont(value, $covered) AS highest, count(value) AS records
  FROM measured
  GROUP BY metric, comparison
),
widths AS (
  SELECT
    metric,
    CASE
      WHEN max(CASE WHEN isfinite(highest) THEN highest END) > 0
        THEN max(CASE WHEN isfinite(highest) THEN highest END) / $bins
      ELSE 1.0 / $bins
    END AS width
  FROM ends
  GROUP BY metric
),
placed AS (
  SELECT
    measured.metric,
    measured.comparison,
    widths.width,
    CASE
      WHEN measured.value <= widths.width * $bins THEN least(floor(measured.value / widths.width), $bins - 1)
      ELSE $bins
    END AS bin
  FROM measured
  JOIN widths ON widths.metric = measured.metric
  WHERE measured.value IS NOT NULL
)
SELECT
  placed.metric,
  placed.comparison,
  placed.bin * placed.width AS lower,
  CASE WHEN placed.bin < $bins THEN (placed.bin + 1) * placed.width END AS upper,
  CAST(count(*) AS DOUBLE) / ends.records AS share
FROM placed
JOIN ends ON ends.metric = placed.metric AND ends.comparison = placed.comparison
GROUP BY placed.metric, placed.comparison, placed.bin, placed.width, ends.records
