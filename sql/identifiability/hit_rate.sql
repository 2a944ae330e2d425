/*
summary = "The share of real records that some synthetic record meets: equal categories, and every number within a tolerance; beside the same of people who were never in the data."
source = "Hitting rate as in common evaluation tools; here of all records and with a control; interval: Wilson, JASA 22 (1927)."
options = ["distance.columns", "distance.exclude", "distance.numeric", "distance.categorical", "distance.key"]
compares = true
few = true

[parameters]
synthetic = { type = "relation", doc = "the synthetic table" }
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
holdout = { type = "relation", optional = true, doc = "real rows that it never saw: the control" }
tolerance = { type = "number", default = 0.03333333333333333, minimum = 0, doc = "how far two numbers may be apart, as a share of train's range; 1/30 by default" }

[columns]
n = "BIGINT, train records"
share = "DOUBLE, the share of them that a synthetic record meets; missing meets missing"
lower = "DOUBLE, lower end of the 95 % Wilson interval of share"
upper = "DOUBLE, upper end"
control = "DOUBLE, the share of holdout records that one meets; NULL without a holdout"
excess = "DOUBLE, share - control"
*/
WITH ranges AS (
  SELECT
    count(*) AS "rows",
    each(numeric, this_range := max(this_column) - min(this_column))
  FROM encoded(train)
),
everybody AS (
  SELECT 'train' AS side, record, each(compared, this_column) FROM encoded(train)

  UNION ALL

  SELECT 'synthetic' AS side, record, each(compared, this_column) FROM encoded(synthetic)

  UNION ALL

  SELECT 'holdout' AS side, record, each(compared, this_column) FROM encoded(holdout)
  WHERE $holdout IS NOT NULL
),
-- Who may meet at all is in one class: equal categories, and the same numbers missing.
classed AS (
  SELECT
    everybody.side,
    everybody.record,
    dense_rank() OVER (
      ORDER BY each(categorical, everybody.this_column), each(numeric, everybody.this_column IS NULL)
    ) AS class,
    -- Of the first number also in the same or the next bucket, a little wider than the tolerance.
    total(first_number,
      CASE
        WHEN ranges.this_range > 0 AND $tolerance > 0
        THEN coalesce(floor(everybody.this_column / (ranges.this_range * $tolerance * 1.000001)), 0.0)
        ELSE 0.0
      END
    ) AS bucket,
    each(numeric, everybody.this_column)
  FROM everybody
  CROSS JOIN ranges
),
targets AS (
  SELECT DISTINCT class, bucket, each(numeric, this_column)
  FROM classed
  WHERE side = 'synthetic'
),
offsets AS (
  SELECT -1 AS step UNION ALL SELECT 0 UNION ALL SELECT 1
),
asking AS (
  SELECT classed.side, classed.record, classed.class, classed.bucket + offsets.step AS bucket, each(numeric, classed.this_column)
  FROM classed
  CROSS JOIN offsets
  WHERE classed.side <> 'synthetic'
),
met AS (
  SELECT DISTINCT asking.side, asking.record
  FROM asking
  JOIN targets ON targets.class = asking.class AND targets.bucket = asking.bucket
  CROSS JOIN ranges
  WHERE total(numeric,
    CASE
      WHEN asking.this_column = targets.this_column THEN 0.0
      WHEN ranges.this_range > 0 AND abs(asking.this_column - targets.this_column) / ranges.this_range <= $tolerance THEN 0.0
      WHEN asking.this_column IS NULL THEN 0.0
      ELSE 1.0
    END
  ) = 0
),
outcomes AS (
  SELECT classed.side, CASE WHEN met.record IS NULL THEN 0 ELSE 1 END AS hit
  FROM classed
  LEFT JOIN met ON met.side = classed.side AND met.record = classed.record
  WHERE classed.side <> 'synthetic'
)
SELECT n, share, lower, upper, control, excess
FROM share_beside_control(outcomes := outcomes)
WHERE (SELECT problems FROM infinite_values(relation := train)) = 0
  AND (SELECT problems FROM infinite_values(relation := synthetic)) = 0
  AND ($holdout IS NULL OR (SELECT problems FROM infinite_values(relation := holdout)) = 0)
