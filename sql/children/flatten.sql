/*
summary = "A table of parents with aggregates of their children: their number, and a few statistics of each column."
source = "Aggregates of child tables as features of their parent, as in relational learning; ties and types are stated with the columns."
options = ["distance.columns", "distance.exclude", "distance.numeric", "distance.categorical"]
gives.columns_of = "flattened"
order = ["record"]
run.asks_before = { warnings = "orphans" }
example = { parents = "train", children = "train", key = "id", order = "n", exclude = ["x"], prefix = "s_" }

[parameters]
parents = { type = "relation", doc = "a table with one row per parent; all of its columns are kept" }
children = { type = "relation", doc = "a table with any number of rows per parent; the distance options refer to its columns" }
key = { type = "name", own = true, doc = "the column of both tables that links children to parents" }
order = { type = "name", own = true, optional = true, doc = "a column of children that orders them, such as a time; adds the first and the last value of each column (in SQL the name of this parameter must be quoted, as it is a keyword)" }
prefix = { type = "text", optional = true, doc = "a prefix for the names of the new columns, for parents with several child tables: visits_ gives visits_rows" }
*/
-- Parents by number: children are grouped by an integer, whatever the type of the key; orphans are dropped here.
WITH people AS (
  SELECT each(link, this_joined := key_value(this_column)), min(this_record) AS number
  FROM parents
  GROUP BY each(link, key_value(this_column))
),
given AS (
  SELECT
    each(link, this_joined := key_value(this_column)),
    each(numeric, this_spread := raw_value(this_column)),
    each(numeric, this_range := encoded_value(this_column)),
    each(categorical, encoded_value(this_column)),
    each(sequence, this_asked := raw_value(this_column))
  FROM children
),
linked AS (
  SELECT
    CAST(people.number AS BIGINT) AS number,
    each(numeric, given.this_spread),
    each(numeric, given.this_range),
    each(categorical, given.this_column),
    each(sequence, given.this_asked)
  FROM given
  JOIN people ON every(link, people.this_joined = given.this_joined)
),
totals AS (
  SELECT
    number,
    count(*) AS "rows",
    each(numeric, this_least := min(this_spread)),
    each(numeric, this_most := max(this_spread)),
    each(number, this_center := avg(this_range) / this_unit),
    each(moment, this_center := restored_value(this_column, avg(this_range), ''))
  FROM linked
  GROUP BY number
),
counted AS (
  SELECT CAST(number AS BIGINT) AS number, this_position AS position, this_column AS value, count(*) AS records
  FROM each_column(categorical, linked)
  WHERE this_column IS NOT NULL
  GROUP BY number, this_column
),
ranked AS (
  SELECT
    number,
    position,
    value,
    row_number() OVER (PARTITION BY number, position ORDER BY records DESC, CAST(value AS VARCHAR) COLLATE C) AS place
  FROM counted
),
kinds AS (
  SELECT
    number,
    each(categorical,
      restored_value(this_column, 0, max(CASE WHEN position = this_position AND place = 1 THEN value END))
    ),
    each(categorical, this_kinds := count(CASE WHEN position = this_position THEN 1 END))
  FROM ranked
  GROUP BY number
),
-- Ties in time are broken by all columns, so that the order is deterministic.
placed AS (
  SELECT
    CAST(number AS BIGINT) AS number,
    row_number() OVER (
      PARTITION BY number
      ORDER BY
        each(sequence, this_asked) NULLS LAST,
        each(numeric, this_spread) NULLS LAST,
        each(categorical, CAST(this_column AS VARCHAR) COLLATE C) NULLS LAST
    ) AS place,
    count(*) OVER (PARTITION BY number) AS last_place,
    each(numeric, this_spread),
    each(categorical, this_column)
  FROM linked
  WHERE every(sequence, this_asked IS NOT NULL)
),
ends AS (
  SELECT
    number,
    each(numeric, this_earliest := max(CASE WHEN place = 1 THEN this_spread END)),
    each(numeric, this_latest := max(CASE WHEN place = last_place THEN this_spread END)),
    each(categorical,
      this_earliest := restored_value(this_column, 0, max(CASE WHEN place = 1 THEN this_column END))
    ),
    each(categorical,
      this_latest := restored_value(this_column, 0, max(CASE WHEN place = last_place THEN this_column END))
    )
  FROM placed
  GROUP BY number
),
keyed AS (
  SELECT this_record AS record, each(link, this_joined := key_value(this_column))
  FROM parents
)
SELECT
  own.record,
  each(own, own.this_column),
  coalesce(totals."rows", 0) AS "rows",
  each(numeric, totals.this_least),
  each(numeric, totals.this_most),
  each(numeric, totals.this_center),
  each(categorical, this_named := kinds.this_column),
  each(categorical, this_kinds := CASE WHEN totals."rows" > 0 THEN coalesce(kinds.this_kinds, 0) END),
  each(in_order, this_earliest),
  each(in_order, this_latest)
FROM own(parents) AS own
JOIN keyed ON keyed.record = own.record
LEFT JOIN people ON every(link, people.this_joined = keyed.this_joined)
LEFT JOIN totals ON totals.number = people.number
LEFT JOIN kinds ON kinds.number = people.number
LEFT JOIN each_joined(sequence, ends) AS this_joined ON this_joined.number = people.number
