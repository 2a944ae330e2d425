/*
summary = "Compares two evaluations, as of last month and this one: each number before and now, and whether it became better or worse."
source = "The results of evaluate. Non-overlapping intervals are a conservative test, as overlapping ones may still differ significantly."
order = ["section", "metric", "place", "variant", "statistic"]
example = { now = "evaluated", before = "evaluated_before" }

[parameters]
now = { type = "relation", columns = ["section", "metric", "variant", "statistic", "value", "lower", "upper", "better"], doc = "a result of evaluate" }
before = { type = "relation", columns = ["section", "metric", "variant", "statistic", "value", "lower", "upper", "better"], doc = "an earlier result of evaluate; from a table of several runs, the rows of one run" }

[columns]
section = "VARCHAR, as in evaluate"
metric = "VARCHAR"
variant = "VARCHAR"
statistic = "VARCHAR"
before = "DOUBLE, the earlier number; NULL if it was missing"
now = "DOUBLE, the number now"
difference = "DOUBLE, now - before"
became = "VARCHAR: better or worse if the number has a direction, otherwise changed; same; new or gone if only one evaluation has it"
apart = "BOOLEAN, whether the 95 % intervals do not overlap; NULL without intervals"
*/
WITH numbers AS (
  SELECT
    section, metric, variant, statistic, better, 'before' AS side,
    CAST(value AS DOUBLE) AS value, CAST(lower AS DOUBLE) AS lower, CAST(upper AS DOUBLE) AS upper
  FROM before

  UNION ALL

  SELECT
    section, metric, variant, statistic, better, 'now' AS side,
    CAST(value AS DOUBLE) AS value, CAST(lower AS DOUBLE) AS lower, CAST(upper AS DOUBLE) AS upper
  FROM now
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
        'OptionError: ' || CASE WHEN rows_before > 1 THEN label(before) ELSE label(now) END
        || ' holds numbers more than once; give the rows of one run, such as '
        || '(SELECT * FROM runs WHERE run_at = (SELECT max(run_at) FROM runs))'
      ) AS DOUBLE)
    END AS known
  FROM compared
)
SELECT
  section,
  metric,
  CASE WHEN variant IS NULL THEN 0 ELSE 1 END AS place,
  variant,
  statistic,
  known AS before,
  value_now AS now,
  value_now - known AS difference,
  CASE
    WHEN rows_before = 0 THEN 'new'
    WHEN rows_now = 0 THEN 'gone'
    WHEN known = value_now OR (known IS NULL AND value_now IS NULL) THEN 'same'
    WHEN better IS NULL OR known IS NULL OR value_now IS NULL THEN 'changed'
    WHEN (better = 'higher' AND value_now > known) OR (better = 'lower' AND value_now < known) THEN 'better'
    ELSE 'worse'
  END AS became,
  CASE
    WHEN lower_before IS NULL OR lower_now IS NULL OR upper_before IS NULL OR upper_now IS NULL THEN NULL
    ELSE CAST(lower_now > upper_before OR upper_now < lower_before AS BOOLEAN)
  END AS apart
FROM checked
