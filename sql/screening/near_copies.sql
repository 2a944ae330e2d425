/*
summary = "Copies, where texts need only be nearly equal."
part = true
run.materialized = true
run.operator = "texts of records"
options = ["distance", "unit.unit"]
reads.units = ["train"]
tables = ["synthetic", "train"]
*/
WITH known AS (
  SELECT record, record AS person
  FROM raw(train)
  WHERE $unit IS NULL

  UNION ALL

  SELECT record, dense_rank() OVER (ORDER BY person) AS person
  FROM owners(train)
  WHERE $unit IS NOT NULL
),
together AS (
  SELECT record, -1 AS person, each(compared, this_column)
  FROM raw(synthetic)

  UNION ALL

  SELECT originals.record, known.person, each(compared, originals.this_column)
  FROM raw(train) AS originals
  JOIN known ON known.record = originals.record
),
coded AS (
  SELECT
    record,
    person,
    dense_rank() OVER (
      ORDER BY each(compared, CASE WHEN this_is_written THEN NULL ELSE this_column END)
    ) AS others,
    CAST([each(categorical, CASE WHEN this_is_written THEN CAST(this_column AS VARCHAR) END)] AS VARCHAR[]) AS texts
  FROM together
)
SELECT unnest(answer.found.record) AS record, unnest(answer.found.copies) AS copies
FROM (
  SELECT
    synthpriv_near_copies(
      list({'record': record, 'person': person, 'others': others, 'texts': texts}),
      {'column': 'records', 'threads': current_setting('threads')}
    ) AS found
  FROM coded
) AS answer
