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
    'How many times as often as elsewhere people can be identified, in the group most at risk; NULL where no group stands out, or nobody can be identified.' AS meaning
  UNION ALL SELECT 'people', 2, 'The people of that group.'
  UNION ALL SELECT 'named', 3, 'Those of them who can be identified.'
)
SELECT
  'exposure_by' AS section, 12 AS position, 'exposure_by' AS metric, CAST(NULL AS VARCHAR) AS variant, words.statistic, words.place,
  'lower' AS better,
  CASE
    WHEN words.statistic = 'people' AND worst.value IS NOT NULL THEN 'The people of that group: ' || worst.column_name || ' ' || worst.value || '.'
    ELSE words.meaning
  END AS meaning,
  CASE words.statistic
    WHEN 'max_ratio' THEN worst.ratio
    WHEN 'people' THEN CAST(worst.people AS DOUBLE)
    ELSE CAST(worst.named AS DOUBLE)
  END AS value,
  CASE WHEN words.statistic = 'max_ratio' THEN worst.lower END AS lower,
  CASE WHEN words.statistic = 'max_ratio' THEN worst.upper END AS upper
FROM words
LEFT JOIN worst ON true
