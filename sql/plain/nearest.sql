/*
summary = "The k nearest records as plain SQL, for databases without the kernel: a brute-force comparison of all pairs."
part = true
run.materialized = true
run.widest = "k"
run.warning = "Neighbors are searched for in plain SQL here: every record is compared with every other. Time and temporary space grow with rows x rows."
run.stands_in = ["no kernel"]

[parameters]
queries = { type = "relation", doc = "the records whose neighbors are searched" }
reference = { type = "relation", doc = "the records that are searched" }
train = { type = "relation", doc = "the table that determines the scale" }
k = { type = "integer", default = 1, doc = "neighbors per record" }
exclude_self = { type = "boolean", default = false, doc = "queries and reference are the same table: exclude each record itself" }
ties = { type = "boolean", default = false, doc = "with k = 1: return all records at the smallest distance, each with rank 1" }
most_ties = { type = "integer", optional = true, doc = "the maximum number of these ties; the smallest record numbers are returned" }
among = { type = "text", optional = true, doc = "the group of columns to compare; by default the first" }
apart = { type = "boolean", default = false, doc = "has no effect here" }
*/
-- Distances are summed in the kernel's order: numbers first, then columns compared by equality, in column order.
WITH scale AS (
  -- A numeric column without a spread is compared by equality, like a category.
  SELECT
    each(numeric,
      this_spread := CAST(CASE WHEN $metric = 'hamming' THEN NULL ELSE nullif(columns.this_spread, 0) END AS DOUBLE)
    ),
    each(categorical, this_spread := CAST(NULL AS DOUBLE))
  FROM scale_columns(train) AS columns
),
pairs AS (
  SELECT
    queries.record,
    found.record AS neighbor,
    CAST(total(
      numeric,
      CASE
        WHEN $metric = 'hamming' OR scale.this_spread IS NULL THEN 0.0
        WHEN queries.this_column IS NULL AND found.this_column IS NULL THEN 0.0
        WHEN queries.this_column IS NULL OR found.this_column IS NULL
        THEN CAST(this_distance_weight * mismatch($metric, $category_mismatch) AS DOUBLE)
        ELSE CAST(this_distance_weight AS DOUBLE) * CASE $metric
          WHEN 'gower' THEN least(abs(queries.this_column - found.this_column) / scale.this_spread, 1.0)
          WHEN 'euclidean' THEN
            abs(queries.this_column - found.this_column) / scale.this_spread
            * (abs(queries.this_column - found.this_column) / scale.this_spread)
          ELSE abs(queries.this_column - found.this_column) / scale.this_spread
        END
      END,
      compared,
      CASE
        WHEN scale.this_spread > 0 THEN 0.0
        WHEN queries.this_column = found.this_column THEN 0.0
        WHEN queries.this_column IS NULL AND found.this_column IS NULL THEN 0.0
        ELSE CAST(this_distance_weight * mismatch($metric, $category_mismatch) AS DOUBLE)
      END
    ) AS DOUBLE) AS cost
  FROM encoded(queries) AS queries
  CROSS JOIN encoded(reference) AS found
  CROSS JOIN scale
  WHERE NOT $exclude_self OR queries.record <> found.record
),
distances AS (
  SELECT
    record,
    neighbor,
    CASE $metric
      WHEN 'gower' THEN cost / total(compared, this_distance_weight)
      WHEN 'euclidean' THEN sqrt(cost)
      ELSE cost
    END AS distance
  FROM pairs
),
-- Sorting all distances of a record takes several times as long as computing them. DuckDB finds the k smallest without
-- it, and keeps no others in memory, except where all ties are asked for.
smallest AS (
  SELECT record, unnest(min({'distance': distance, 'neighbor': neighbor}, $k)) AS found
  FROM distances
  WHERE $dialect = 'duckdb' AND NOT $ties
  GROUP BY record
),
limits AS (
  SELECT record, min(distance) AS farthest
  FROM distances
  WHERE $dialect = 'duckdb' AND $ties
  GROUP BY record
),
near AS (
  SELECT record, found.neighbor AS neighbor, found.distance AS distance
  FROM smallest
  WHERE $dialect = 'duckdb' AND NOT $ties

  UNION ALL

  SELECT distances.record, distances.neighbor, distances.distance
  FROM distances
  JOIN limits ON limits.record = distances.record AND distances.distance <= limits.farthest
  WHERE $dialect = 'duckdb' AND $ties

  UNION ALL

  SELECT record, neighbor, distance
  FROM distances
  WHERE $dialect <> 'duckdb'
),
ranked AS (
  SELECT
    record,
    CASE
      WHEN $ties AND $most_ties IS NULL THEN rank() OVER (PARTITION BY record ORDER BY distance)
      WHEN $ties THEN
        CASE
          WHEN rank() OVER (PARTITION BY record ORDER BY distance) = 1
            AND row_number() OVER (PARTITION BY record ORDER BY distance, neighbor) <= $most_ties THEN 1
          ELSE 2
        END
      ELSE row_number() OVER (PARTITION BY record ORDER BY distance, neighbor)
    END AS place,
    neighbor,
    distance
  FROM near
),
-- The errors of a search, one row for each table.
infinite_queries AS (
  SELECT count(*) AS "rows", each(numeric, count(*) FILTER (WHERE isinf(this_column)))
  FROM encoded(queries)
),
infinite_reference AS (
  SELECT count(*) AS "rows", each(numeric, count(*) FILTER (WHERE isinf(this_column)))
  FROM encoded(reference)
),
checks AS (
  SELECT
    total(numeric,
      CASE
        WHEN infinite.this_column > 0 THEN infinite_value_error(this_name, infinite.this_column, label(queries))
        ELSE 0
      END
    ) AS problems
  FROM infinite_queries AS infinite

  UNION ALL

  SELECT
    CASE
      WHEN infinite."rows" = 0 AND NOT $exclude_self THEN CAST(error(
        'EmptyTable: ' || label(reference) || ' has no rows; without a record there is no closest one'
      ) AS BIGINT)
      ELSE total(numeric,
        CASE
          WHEN infinite.this_column > 0 THEN infinite_value_error(this_name, infinite.this_column, label(reference))
          WHEN NOT isfinite(scale.this_spread) THEN CAST(error(
            'InfiniteValue: column "' || this_name || '" of ' || label(reference)
            || ' spans more than a DOUBLE can hold, so its numbers have no scale. '
            || 'Exclude it, or divide it by a large number first.'
          ) AS BIGINT)
          ELSE 0
        END
      )
    END AS problems
  FROM infinite_reference AS infinite
  CROSS JOIN scale_columns(train) AS scale
)
SELECT record, CAST(place AS INTEGER) AS rank, neighbor, distance
FROM ranked
WHERE place <= $k

UNION ALL

-- Never gives a row, but makes the checks run for any tables.
SELECT CAST(-1 AS BIGINT) AS record, 1 AS rank, CAST(-1 AS BIGINT) AS neighbor, CAST(0 AS DOUBLE) AS distance
FROM checks
WHERE problems > 0
