/*
summary = "All tables in one, with values replaced by integers, as MOSTLY AI's quality assurance bins them: 1 is missing, 2 any other category, from 3 a bin or category."
part = true
tables = ["synthetic", "train", "holdout?"]
*/
WITH ordered AS (
  SELECT
    this_position AS position,
    this_role AS role,
    this_column / this_unit AS value,
    row_number() OVER (ORDER BY this_column) - 1 AS place,
    count(*) OVER () AS records
  FROM each_column(numeric, together(synthetic, train, holdout))
  WHERE synthetic = 0 AND this_column IS NOT NULL
),
columns AS (
  SELECT position, role, max(records) AS records, count(DISTINCT value) AS different, max(value) AS most
  FROM ordered
  GROUP BY position, role
),
-- Increasingly many evenly spaced records, including the first and the last, until they have eleven distinct values.
picks AS (
  SELECT
    columns.position,
    tries.points,
    CAST(
      CASE
        WHEN steps.step = tries.points - 1 THEN columns.records - 1
        ELSE floor(steps.step * (CAST(columns.records - 1 AS DOUBLE) / (tries.points - 1)))
      END AS BIGINT
    ) AS place
  FROM columns
  JOIN generate_series(10, 999) AS tries(points) ON tries.points <= greatest(10, columns.records)
  JOIN generate_series(0, 998) AS steps(step) ON steps.step < tries.points
  WHERE columns.role <> 'numeric' OR columns.different > 10
),
picked AS (
  SELECT DISTINCT picks.position, picks.points, ordered.value
  FROM picks
  JOIN ordered ON ordered.position = picks.position AND ordered.place = picks.place
),
chosen AS (
  SELECT position, coalesce(min(CASE WHEN different > 10 THEN points END), max(points)) AS points
  FROM (SELECT position, points, count(*) AS different FROM picked GROUP BY position, points) AS counted
  GROUP BY position
),
-- A column with few values has one bin per value, and one more edge.
breaks AS (
  SELECT picked.position, picked.value
  FROM picked
  JOIN chosen ON chosen.position = picked.position AND chosen.points = picked.points

  UNION ALL

  SELECT DISTINCT ordered.position, ordered.value
  FROM ordered
  JOIN columns ON columns.position = ordered.position
  WHERE columns.role = 'numeric' AND columns.different <= 10

  UNION ALL

  SELECT position, most + 1 AS value
  FROM columns
  WHERE role = 'numeric' AND different <= 10
),
-- Edges are rounded to the fewest digits that keep them distinct.
cut AS (
  SELECT
    breaks.position,
    digits.digits,
    count(*) AS breaks,
    count(DISTINCT floor(breaks.value * power(10.0, digits.digits)) / power(10.0, digits.digits)) AS different
  FROM breaks
  JOIN columns ON columns.position = breaks.position AND columns.role = 'numeric'
  CROSS JOIN generate_series(0, 19) AS digits(digits)
  GROUP BY breaks.position, digits.digits
),
digits AS (
  SELECT position, min(digits) AS digits
  FROM cut
  WHERE different = breaks
  GROUP BY position
),
placed AS (
  SELECT
    breaks.position,
    CASE
      WHEN digits.digits IS NULL THEN breaks.value
      ELSE floor(breaks.value * power(10.0, digits.digits)) / power(10.0, digits.digits)
    END AS edge,
    row_number() OVER (PARTITION BY breaks.position ORDER BY breaks.value) - 1 AS place,
    count(*) OVER (PARTITION BY breaks.position) - 1 AS last
  FROM breaks
  LEFT JOIN digits ON digits.position = breaks.position
),
edges AS (
  SELECT
    count(*) AS edges,
    each(numeric, each(numbers(1, 20), this_edge := max(CASE WHEN position = this_position AND place = this_value THEN edge END)))
  FROM placed
  WHERE place > 0 AND place < last
),
kept AS (
  SELECT position, category, CAST(3 + place AS BIGINT) AS code
  FROM (
    SELECT
      position,
      category,
      train + holdout AS records,
      row_number() OVER (PARTITION BY position ORDER BY train + holdout DESC, CAST(category AS VARCHAR) COLLATE C) AS place
    FROM frequencies(synthetic, train, holdout)
  ) AS ranked
  WHERE place <= 10 AND records >= 5 AND category <> ''
)
SELECT
  together.synthetic,
  together.train,
  together.holdout,
  each(numeric,
    CASE
      WHEN together.this_column IS NULL THEN CAST(1 AS BIGINT)
      ELSE CAST(
        3 + total(numbers(1, 20), CASE WHEN edges.this_edge <= together.this_column / this_unit THEN 1 ELSE 0 END) AS BIGINT
      )
    END
  ),
  each(categorical,
    CASE
      WHEN together.this_column IS NULL THEN CAST(1 AS BIGINT)
      WHEN together.this_column = '' THEN CAST(3 AS BIGINT)
      ELSE coalesce(this_joined.code, CAST(2 AS BIGINT))
    END
  )
FROM together(synthetic, train, holdout) AS together
CROSS JOIN edges
LEFT JOIN each_joined(categorical, kept) AS this_joined
  ON this_joined.position = this_position AND this_joined.category = together.this_column
