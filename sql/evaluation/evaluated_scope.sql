/*
summary = "Section scope of evaluate: the limits of the verdict, and the columns of synthetic that no distance and no attack looked at."
part = true
tables = ["synthetic"]

[parameters]
tolerance = { type = "number", default = 0.02, doc = "as in evaluate" }
effort = { type = "text", optional = true, doc = "as in evaluate" }

[numbers]
always = ["scope.{tolerance,columns}", "left_out.columns", "left_out.*.column", "texts.*.column"]
effort = ["scope.{quick,asked}"]
*/
WITH left_out AS (
  SELECT this_name AS column_name
  FROM each_column(left_out)
),
compared AS (
  SELECT this_name AS column_name
  FROM each_column(compared)
)
SELECT
  'scope' AS section, 108 AS position, 'scope' AS metric, CAST(NULL AS VARCHAR) AS variant, 'tolerance' AS statistic,
  1 AS place, CAST(NULL AS VARCHAR) AS better,
  'The limit beyond which a significant finding counts as a leak of people, not as a trace of the crowd.' AS meaning,
  CAST($tolerance AS DOUBLE) AS value, CAST(NULL AS DOUBLE) AS lower, CAST(NULL AS DOUBLE) AS upper

UNION ALL

SELECT
  'scope', 108, 'scope', NULL, 'columns', 2, NULL, 'Columns that are compared.', CAST(count(*) AS DOUBLE), NULL, NULL
FROM compared

UNION ALL

SELECT
  'scope', 108, 'scope', NULL, 'quick', 3, NULL,
  'The evaluation left out what the verdict does not need, and learned was asked of few people.', 1.0, NULL, NULL
WHERE $effort = 'quick'

UNION ALL

SELECT
  'scope', 108, 'scope', NULL, 'asked', 4, NULL,
  'At most so many people of each side, drawn with the seed, were scored by attacks by distance and by agreement.',
  CAST($most_asked AS DOUBLE), NULL, NULL
WHERE $most_asked IS NOT NULL

UNION ALL

SELECT
  'scope', 109, 'left_out', NULL, 'columns', 1, NULL,
  'Columns of synthetic that no distance and no attack looked at.',
  CAST(count(*) AS DOUBLE), NULL, NULL
FROM left_out

UNION ALL

SELECT
  'scope', 109, 'left_out', column_name, 'column', 2, NULL,
  'No distance and no attack looked at this column; only its replayed values are counted.',
  1.0, NULL, NULL
FROM left_out

UNION ALL

SELECT
  'scope', 109, 'texts', this_name, 'column', 3, NULL,
  'No distance looked at this column of texts; attacks compare it, and its replayed values are counted.',
  1.0, NULL, NULL
FROM each_column(compared)
WHERE this_is_text
