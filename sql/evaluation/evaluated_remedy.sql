/*
summary = "Section remedy of evaluate: the one column without which the fewest people are named by replicated uniques."
part = true
tables = ["synthetic", "train", "holdout"]

[parameters]
named_by = { type = "names", default = ["uniques", "learned"], doc = "as in evaluate" }
false_discovery = { type = "number", default = 0.05, doc = "as in exposure" }

[numbers]
holdout = ["remedy.*.{named_before,named_after}"]
*/
WITH requested AS (
  SELECT this_value AS attack
  FROM each_value($named_by)
),
attacks AS (
  SELECT count(*) AS attacks, max(CASE WHEN attack = 'uniques' THEN 1 ELSE 0 END) AS is_asked
  FROM requested
),
above AS (
  SELECT
    place,
    column_name,
    sum(members) OVER (PARTITION BY place ORDER BY score DESC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS members,
    sum(non_members) OVER (PARTITION BY place ORDER BY score DESC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS others,
    sum(members) OVER (PARTITION BY place) AS all_members,
    sum(non_members) OVER (PARTITION BY place) AS all_others
  FROM unique_columns(synthetic := synthetic, train := train, holdout := holdout)
),
-- As in exposure: Benjamini-Hochberg of conformal p-values, at the share of the level that uniques has.
named AS (
  SELECT
    above.place,
    max(above.column_name) AS column_name,
    max(
      CASE
        WHEN CAST(above.others + 1 AS DOUBLE) * CAST(above.all_members AS DOUBLE) * attacks.attacks
          <= $false_discovery * CAST(above.all_others + 1 AS DOUBLE) * CAST(above.members AS DOUBLE)
          THEN above.members
        ELSE 0
      END
    ) AS people
  FROM above
  CROSS JOIN attacks
  WHERE attacks.is_asked = 1
  GROUP BY above.place
),
best AS (
  SELECT
    named.column_name,
    everything.people AS before,
    named.people AS after,
    row_number() OVER (ORDER BY named.people, named.place) AS rank
  FROM named
  JOIN named AS everything ON everything.place = -1
  WHERE named.place >= 0 AND named.people < everything.people
),
words AS (
  SELECT 'named_before' AS statistic, 1 AS place, 'lower' AS better,
    'People named by replicated uniques of all columns.' AS meaning
  UNION ALL SELECT 'named_after', 2, 'lower',
    'Those who would be named without this column, of all the one whose removal leaves the fewest.'
)
SELECT
  'remedy' AS section, 13 AS position, 'remedy' AS metric, best.column_name AS variant, words.statistic, words.place, words.better,
  words.meaning,
  CAST(CASE words.statistic WHEN 'named_before' THEN best.before ELSE best.after END AS DOUBLE) AS value,
  CAST(NULL AS DOUBLE) AS lower, CAST(NULL AS DOUBLE) AS upper
FROM best
CROSS JOIN words
WHERE best.rank = 1
