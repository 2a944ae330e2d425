/*
summary = "Compares two evaluations, as of last month and this one: the verdict, then each number before and now, and whether it became better or worse beyond chance."
source = "The results of evaluate. Numbers with intervals: differences of 3.5 standard errors, which the ends of the intervals give (as of Zou and Donner 2008): among a hundred numbers, chance makes one in one of twenty comparisons."
order = ["rank", "importance", "section", "metric", "place", "variant", "statistic"]
example = { now = "evaluated", before = "evaluated_before" }

[parameters]
now = { type = "relation", columns = ["section", "metric", "variant", "statistic", "value", "lower", "upper", "better"], doc = "a result of evaluate" }
before = { type = "relation", columns = ["section", "metric", "variant", "statistic", "value", "lower", "upper", "better"], doc = "an earlier result of evaluate; from a table of several runs, the rows of one run" }
apart = { type = "boolean", default = false, doc = "only the verdict and numbers that differ beyond chance" }

[columns]
section = "VARCHAR, as in evaluate; the verdict comes first, then what became worse, better, changed, new or gone, or is the same"
metric = "VARCHAR"
variant = "VARCHAR"
statistic = "VARCHAR"
before = "DOUBLE, the earlier number; NULL if it was missing"
now = "DOUBLE, the number now"
difference = "DOUBLE, now - before"
became = "VARCHAR: better or worse if the number has a direction and is apart; otherwise changed; same; new or gone if only one evaluation has it"
apart = "BOOLEAN, whether the two differ beyond chance; NULL if nothing says what chance does, and of fewer people named at a lower false_discovery, as a history gives it to later releases"
*/
WITH numbers AS (
  SELECT
    section, metric, variant, statistic, better, 'before' AS side,
    CAST(value AS DOUBLE) AS value, CAST(lower AS DOUBLE) AS lower, CAST(upper AS DOUBLE) AS upper
  FROM before
  WHERE section <> 'run' AND (section <> 'verdict' OR statistic = 'level')

  UNION ALL

  SELECT
    section, metric, variant, statistic, better, 'now' AS side,
    CAST(value AS DOUBLE) AS value, CAST(lower AS DOUBLE) AS lower, CAST(upper AS DOUBLE) AS upper
  FROM now
  WHERE section <> 'run' AND (section <> 'verdict' OR statistic = 'level')
),
compared AS (
  SELECT
    section,
    metric,
    variant,
    statistic,
    max(better) AS better,
    count(CASE WHEN side = 'before' THEN 1 END) AS rows_before,
    count(CASE WHEN side = 'now' THEN 1 END) AS rows_now,
    max(CASE WHEN side = 'before' THEN value END) AS value_before,
    max(CASE WHEN side = 'now' THEN value END) AS value_now,
    max(CASE WHEN side = 'before' THEN lower END) AS lower_before,
    max(CASE WHEN side = 'now' THEN lower END) AS lower_now,
    max(CASE WHEN side = 'before' THEN upper END) AS upper_before,
    max(CASE WHEN side = 'now' THEN upper END) AS upper_now
  FROM numbers
  GROUP BY section, metric, variant, statistic
),
checked AS (
  SELECT
    *,
    CASE
      WHEN rows_before <= 1 AND rows_now <= 1 THEN value_before
      ELSE CAST(error(
        -- NULL for the other rows, for which ClickHouse computes it as well.
        'OptionError: ' || CASE WHEN rows_before > 1 THEN label(before) WHEN rows_now > 1 THEN label(now) END
        || ' holds numbers more than once; give the rows of one run, such as '
        || '(SELECT * FROM runs WHERE run_at = (SELECT max(run_at) FROM runs))'
      ) AS DOUBLE)
    END AS known
  FROM compared
),
-- How far the numbers can be from what they estimate, on the sides that face each other, and up to where neither of
-- them matters (tolerance of evaluate): thresholds of attacks vary as well.
judged AS (
  SELECT
    *,
    value_now - known AS difference,
    CASE WHEN value_now > known THEN upper_before - known ELSE known - lower_before END AS width_before,
    CASE WHEN value_now > known THEN value_now - lower_now ELSE upper_now - value_now END AS width_now,
    CASE
      WHEN lower_before IS NULL OR lower_now IS NULL THEN NULL
      WHEN lower_before > lower_now THEN lower_before
      ELSE lower_now
    END AS lower_of_larger,
    CASE statistic
      WHEN 'auc' THEN 0.52
      WHEN 'found_at_1_per_1000' THEN 0.02
      WHEN 'found_at_1_per_100' THEN 0.02
      WHEN 'found_at_1_per_10' THEN 0.12
      WHEN 'excess' THEN 0.0
      ELSE -1e300
    END AS harmless
  FROM checked
),
-- The fewest people who can be named grow as the false discovery rate falls, which the releases of a history share:
-- fewer names are no improvement then.
fewest AS (
  SELECT
    max(CASE WHEN side = 'before' THEN value END) AS fewest_before,
    max(CASE WHEN side = 'now' THEN value END) AS fewest_now
  FROM numbers
  WHERE section = 'exposure' AND variant IS NULL AND statistic = 'least'
),
differing AS (
  SELECT
    judged.*,
    CASE
      WHEN rows_before = 0 OR rows_now = 0 OR difference IS NULL THEN NULL
      WHEN statistic = 'exposed' AND difference < 0 AND fewest_now > fewest_before THEN NULL
      -- Counts of people, or of values of one person each, vary about as those of independent events do.
      WHEN statistic IN ('exposed', 'at_least', 'rare', 'replayed') THEN
        CAST(
          abs(difference) > 3.5 * sqrt(known + value_now + 1)
          OR (statistic <> 'replayed' AND abs(difference) >= 5 AND (known = 0 OR value_now = 0))
        AS BOOLEAN)
      WHEN width_before IS NULL OR width_now IS NULL THEN NULL
      WHEN better = 'lower' AND lower_of_larger <= harmless THEN CAST(1 = 0 AS BOOLEAN)
      -- The threshold of an attack is as random as what it finds, which doubles the variance.
      ELSE CAST(
        abs(difference) > 3.5 / 1.959963984540054 * sqrt(
          (width_before * width_before + width_now * width_now)
          * CASE WHEN statistic LIKE 'found_at_%' THEN 2 ELSE 1 END
        ) AS BOOLEAN
      )
    END AS apart
  FROM judged
  CROSS JOIN fewest
),
told AS (
  SELECT
    *,
    CASE
      WHEN rows_before = 0 THEN 'new'
      WHEN rows_now = 0 THEN 'gone'
      WHEN known = value_now OR (known IS NULL AND value_now IS NULL) THEN 'same'
      WHEN known IS NULL OR value_now IS NULL OR better IS NULL OR NOT (section = 'verdict' OR coalesce(apart, 1 = 0)) THEN 'changed'
      WHEN (better = 'higher' AND value_now > known) OR (better = 'lower' AND value_now < known) THEN 'better'
      ELSE 'worse'
    END AS became
  FROM differing
)
SELECT
  CASE
    WHEN section = 'verdict' THEN 0
    WHEN became = 'worse' THEN 1
    WHEN became = 'better' THEN 2
    WHEN became = 'changed' THEN 3
    WHEN became = 'same' THEN 5
    ELSE 4
  END AS rank,
  CASE section
    WHEN 'exposure' THEN 1
    WHEN 'releases' THEN 2
    WHEN 'membership' THEN 3
    WHEN 'within' THEN 4
    WHEN 'replay' THEN 5
    WHEN 'copies' THEN 6
    WHEN 'holdout_share' THEN 7
    ELSE 8
  END AS importance,
  section,
  metric,
  CASE WHEN variant IS NULL THEN 0 ELSE 1 END AS place,
  variant,
  statistic,
  known AS before,
  value_now AS now,
  difference,
  became,
  apart
FROM told
WHERE NOT $apart OR section = 'verdict' OR coalesce(apart, 1 = 0)
