/*
summary = "The share of real records that some synthetic record matches: equal categories, and every number within a tolerance; compared with people who were not in the training data."
source = "Hitting rate as in common evaluation tools; here for all records and with a control; interval: Wilson, JASA 22 (1927)."
options = ["distance.columns", "distance.exclude", "distance.numeric", "distance.categorical", "distance.key"]
reads.compares = true
run.few = true
gives.number = "share"
example = { synthetic = "synthetic", train = "train", holdout = "holdout", exclude = ["id"], tolerance = 0.1 }
tables = ["synthetic", "train", "holdout?"]

[parameters]
holdout = { doc = "real rows that it never saw: the control" }
tolerance = { type = "number", default = 0.03333333333333333, minimum = 0, doc = "the largest difference between two matching numbers, as a share of the range in train; 1/30 by default" }

[columns]
n = "BIGINT, train records"
share = "DOUBLE, the share of them that a synthetic record matches; missing matches missing"
lower = "DOUBLE, lower end of the 95 % Wilson interval of share"
upper = "DOUBLE, upper end"
control = "DOUBLE, the share of holdout records that one matches; NULL without a holdout"
excess = "DOUBLE, share - control"
*/
WITH ranges AS (
  SELECT
    count(*) AS "rows",
    each(numeric, this_least := min(this_column)),
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
-- Only records in the same class can match: equal categories, and the same numbers missing. Numbers within the
-- tolerance are in the same or adjacent buckets, which are slightly wider than the tolerance.
classed AS MATERIALIZED (
  SELECT
    everybody.side,
    everybody.record,
    dense_rank() OVER (
      ORDER BY each(categorical, everybody.this_column), each(numeric, everybody.this_column IS NULL)
    ) AS class,
    each(numeric,
      this_center := CASE
        WHEN ranges.this_range > 0 AND $tolerance > 0
        THEN coalesce(floor((everybody.this_column - ranges.this_least) / (ranges.this_range * $tolerance * 1.000001)), 0.0)
        ELSE 0.0
      END
    ),
    each(numeric, everybody.this_column)
  FROM everybody
  CROSS JOIN ranges
),
-- Searched are the buckets of the two numbers that tell the most records apart: where most values are equal, as the 0
-- of a capital gain, nearly every record would be compared with every other. A sample of records decides.
sampled AS (
  SELECT this_position AS position, class, this_center AS bucket
  FROM each_column(numeric, classed)
  WHERE side = 'synthetic' AND record < 5000
),
crowds AS (
  SELECT position, class, bucket, count(*) AS records
  FROM sampled
  GROUP BY position, class, bucket
),
crowded AS (
  SELECT position, sum(records * records) AS pairs
  FROM crowds
  GROUP BY position
),
ranked AS (
  SELECT position, row_number() OVER (ORDER BY pairs, position) AS place
  FROM crowded
),
chosen AS MATERIALIZED (
  SELECT
    min(CASE WHEN place = 1 THEN position END) AS first_position,
    min(CASE WHEN place = 2 THEN position END) AS second_position
  FROM ranked
),
placed AS MATERIALIZED (
  SELECT
    classed.side,
    classed.record,
    classed.class,
    total(numeric, CASE WHEN chosen.first_position = this_position THEN classed.this_center ELSE 0.0 END) AS bucket,
    total(numeric, CASE WHEN chosen.second_position = this_position THEN classed.this_center ELSE 0.0 END) AS second_bucket,
    each(numeric, classed.this_center),
    each(numeric, classed.this_column)
  FROM classed
  CROSS JOIN chosen
),
-- Most records are matched by one with all buckets equal: one of these is checked first.
firsts AS (
  SELECT class, each(numeric, this_center), min(record) AS record
  FROM placed
  WHERE side = 'synthetic'
  GROUP BY class, each(numeric, this_center)
),
met_in_cell AS MATERIALIZED (
  SELECT probes.side, probes.record
  FROM placed AS probes
  JOIN firsts ON firsts.class = probes.class AND every(numeric, firsts.this_center = probes.this_center)
  JOIN placed AS targets ON targets.side = 'synthetic' AND targets.record = firsts.record
  CROSS JOIN ranges
  WHERE probes.side <> 'synthetic'
    AND total(numeric, is_beyond(probes.this_column, targets.this_column, ranges.this_range, $tolerance)) = 0
),
targets AS MATERIALIZED (
  SELECT DISTINCT class, bucket, second_bucket, each(numeric, this_column)
  FROM placed
  WHERE side = 'synthetic'
),
offsets AS (
  SELECT -1 AS step UNION ALL SELECT 0 UNION ALL SELECT 1
),
probes AS (
  SELECT
    placed.side, placed.record, placed.class, placed.bucket + offsets.step AS bucket,
    placed.second_bucket + seconds.step AS second_bucket, each(numeric, placed.this_column)
  FROM placed
  LEFT JOIN met_in_cell ON met_in_cell.side = placed.side AND met_in_cell.record = placed.record
  CROSS JOIN offsets
  CROSS JOIN offsets AS seconds
  WHERE placed.side <> 'synthetic'
    AND met_in_cell.record IS NULL
    -- Without a first or second number there is one bucket.
    AND (offsets.step = 0 OR total(numeric, 1) >= 1)
    AND (seconds.step = 0 OR total(numeric, 1) >= 2)
),
met AS (
  SELECT side, record
  FROM met_in_cell

  UNION ALL

  SELECT DISTINCT probes.side, probes.record
  FROM probes
  JOIN targets ON targets.class = probes.class AND targets.bucket = probes.bucket AND targets.second_bucket = probes.second_bucket
  CROSS JOIN ranges
  WHERE total(numeric, is_beyond(probes.this_column, targets.this_column, ranges.this_range, $tolerance)) = 0
),
outcomes AS (
  SELECT placed.side, CASE WHEN met.record IS NULL THEN 0 ELSE 1 END AS hit
  FROM placed
  LEFT JOIN met ON met.side = placed.side AND met.record = placed.record
  WHERE placed.side <> 'synthetic'
)
SELECT n, share, lower, upper, control, excess
FROM share_beside_control(outcomes := outcomes)
WHERE (SELECT problems FROM infinite_values(relation := train)) = 0
  AND (SELECT problems FROM infinite_values(relation := synthetic)) = 0
  AND ($holdout IS NULL OR (SELECT problems FROM infinite_values(relation := holdout)) = 0)
