/*
summary = "Section exposure_by of evaluate: the group of people that is most at risk, if anybody can be identified."
part = true
tables = ["synthetic", "train", "holdout"]

[parameters]
named_by = { type = "names", default = ["uniques", "learned"], doc = "as in evaluate" }
false_discovery = { type = "number", default = 0.05, doc = "as in exposure" }
scores = { type = "relation", optional = true, columns = ["score"], doc = "scores of the user's own attacks" }

[numbers]
holdout = ["exposure_by.{max_ratio,people,named}"]
*/
WITH found AS (
  SELECT
    *,
    row_number() OVER (ORDER BY CASE WHEN p_adjusted < 0.01 THEN 0 ELSE 1 END, ratio DESC, people DESC, position, place) AS rank
  FROM exposure_ratios(
    groups := exposure_groups(
      synthetic := synthetic, train := train, holdout := holdout, scores := scores, attack := $named_by,
      false_discovery := $false_discovery, k := 1, isolation := false, always := false
    )
  )
  WHERE ratio IS NOT NULL
),
worst AS (
  SELECT * FROM found WHERE rank = 1 AND p_adjusted < 0.01
),
words AS (
  SELECT 'max_ratio' AS statistic, 1 AS place,
    'How many times as often as elsewhere people can be identified, in the group most at risk; 1 if no group stands out.' AS meaning
  UNION ALL SELECT 'people', 2, 'The people of that group; 0 if there is none.'
  UNION ALL SELECT 'named', 3, 'Those of them who can be identified.'
)
SELECT
  'exposure_by' AS section, 12 AS position, 'exposure_by' AS metric, CAST(NULL AS VARCHAR) AS variant, words.statistic, words.place,
  'lower' AS better,
  CASE
    WHEN words.statistic = 'people' AND worst.value IS NOT NULL THEN 'The people of that group: ' || worst.column_name || ' ' || worst.value || '.'
    ELSE words.meaning
  END AS meaning,
  CASE
    WHEN NOT enough.is_enough THEN NULL
    WHEN words.statistic = 'max_ratio' THEN coalesce(worst.ratio, 1.0)
    WHEN words.statistic = 'people' THEN coalesce(CAST(worst.people AS DOUBLE), 0.0)
    ELSE coalesce(CAST(worst.named AS DOUBLE), 0.0)
  END AS value,
  CASE WHEN words.statistic = 'max_ratio' THEN worst.lower END AS lower,
  CASE WHEN words.statistic = 'max_ratio' THEN worst.upper END AS upper
FROM words
CROSS JOIN enough(reference := holdout) AS enough
LEFT JOIN worst ON true
