/*
summary = "Randomly drawn predicates on several columns that match exactly one synthetic record, with the number of train and holdout records that they match."
part = true
run.materialized = true
tables = ["synthetic", "train", "holdout?"]

[parameters]
predicates = { type = "integer", default = 500, doc = "as in singling_out" }
of = { type = "integer", default = 2, doc = "columns of a predicate" }
*/
WITH columns AS (
  SELECT this_position AS position
  FROM each_column(compared)
),
-- A draw has a random number for its record and one for each column; the columns with the smallest ones are chosen.
draws AS (
  SELECT
    lots.draw,
    drawn(lots.draw * (sizes.columns + 1), $seed) % sizes.records AS record,
    columns.position,
    row_number() OVER (
      PARTITION BY lots.draw
      ORDER BY drawn(lots.draw * (sizes.columns + 1) + columns.position + 1, $seed), columns.position
    ) AS place
  FROM generate_series(0, 20 * $predicates - 1) AS lots(draw)
  CROSS JOIN columns
  CROSS JOIN (
    SELECT
      (SELECT count(*) FROM columns) AS columns,
      (SELECT count(*) FROM raw(synthetic)) AS records
  ) AS sizes
  WHERE sizes.records > 0
),
marked AS MATERIALIZED (
  SELECT draw, record, each(compared, this_asked := max(CASE WHEN position = this_position THEN 1 ELSE 0 END))
  FROM draws
  WHERE place <= $of
  GROUP BY draw, record
),
-- Equal predicates are combined; columns that are not chosen are ignored.
predicates AS MATERIALIZED (
  SELECT
    min(marked.draw) AS predicate,
    each(compared, this_asked := marked.this_asked),
    each(compared, CASE WHEN marked.this_asked = 1 THEN records.this_column END)
  FROM marked
  JOIN raw(synthetic) AS records ON records.record = marked.record
  GROUP BY each(compared, marked.this_asked), each(compared, CASE WHEN marked.this_asked = 1 THEN records.this_column END)
),
-- Records are looked up by the rarest non-missing value of a predicate, and then compared with the other values.
frequencies AS (
  SELECT tested.predicate, this_position AS position, found.n
  FROM each_column(compared, predicates) AS tested
  JOIN (SELECT this_column, count(*) AS n FROM raw(synthetic) GROUP BY this_column) AS found
    ON found.this_column = tested.this_column
),
rarest AS MATERIALIZED (
  SELECT predicate, position
  FROM (
    SELECT predicate, position, row_number() OVER (PARTITION BY predicate ORDER BY n, position) AS place
    FROM frequencies
  ) AS ranked
  WHERE place = 1
),
looked_up AS MATERIALIZED (
  SELECT predicates.predicate, rarest.position, each(compared, predicates.this_asked), each(compared, predicates.this_column)
  FROM predicates
  JOIN rarest ON rarest.predicate = predicates.predicate
),
-- A predicate that two of the first records match needs no further check.
first_records AS MATERIALIZED (
  SELECT side, record, each(compared, this_column)
  FROM stacked(synthetic := synthetic, train := train, holdout := holdout)
  WHERE side = 1 AND record < 1000
),
promising AS MATERIALIZED (
  SELECT looked_up.predicate, looked_up.position, each(compared, looked_up.this_asked), each(compared, looked_up.this_column)
  FROM looked_up
  LEFT JOIN predicate_matches(predicates := looked_up, records := first_records) AS found
    ON found.predicate = looked_up.predicate
  WHERE coalesce(found.n, 0) < 2
),
synthetic_records AS MATERIALIZED (
  SELECT side, record, each(compared, this_column)
  FROM stacked(synthetic := synthetic, train := train, holdout := holdout)
  WHERE side = 1
),
singles AS (
  SELECT predicate, row_number() OVER (ORDER BY predicate) AS place
  FROM predicate_matches(predicates := promising, records := synthetic_records)
  WHERE n = 1
),
tested AS MATERIALIZED (
  SELECT promising.predicate, promising.position, each(compared, promising.this_asked), each(compared, promising.this_column)
  FROM promising
  JOIN singles ON singles.predicate = promising.predicate
  WHERE singles.place <= $predicates
),
real_records AS MATERIALIZED (
  SELECT side, record, each(compared, this_column)
  FROM stacked(synthetic := synthetic, train := train, holdout := holdout)
  WHERE side > 1
)
SELECT
  coalesce(in_train.n, 0) AS in_train,
  coalesce(in_holdout.n, 0) AS in_holdout
FROM tested
LEFT JOIN predicate_matches(predicates := tested, records := real_records) AS in_train
  ON in_train.predicate = tested.predicate AND in_train.side = 2
LEFT JOIN predicate_matches(predicates := tested, records := real_records) AS in_holdout
  ON in_holdout.predicate = tested.predicate AND in_holdout.side = 3
