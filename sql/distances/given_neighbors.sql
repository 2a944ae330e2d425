/*
summary = "Neighbors by the user's own distance, from a table; an error if it is not complete and consistent."
part = true
run.materialized = true

[parameters]
distances = { type = "relation", doc = "rows of query, rank, neighbor and distance" }
queries = { type = "relation", doc = "the records whose neighbors are searched" }
reference = { type = "relation", doc = "the records that are searched" }
k = { type = "integer", default = 1, doc = "required number of neighbors per record" }
*/
WITH given AS (
  SELECT
    each(distance_query, CAST(own_value(this_column) AS BIGINT)) AS record,
    each(distance_rank, CAST(own_value(this_column) AS BIGINT)) AS rank,
    each(distance_neighbor, CAST(own_value(this_column) AS BIGINT)) AS neighbor,
    each(distance_value, CAST(own_value(this_column) AS DOUBLE)) AS distance
  FROM distances
),
queried AS (
  SELECT record
  FROM encoded(queries)
),
found AS (
  SELECT record
  FROM encoded(reference)
),
ranked AS (
  SELECT
    *,
    count(*) OVER (PARTITION BY record, rank) AS times,
    lag(distance) OVER (PARTITION BY record ORDER BY rank) AS before
  FROM given
),
ranks AS (
  SELECT queried.record, count(given.rank) AS ranks
  FROM queried
  LEFT JOIN given ON given.record = queried.record AND given.rank >= 1 AND given.rank <= $k
  GROUP BY queried.record
),
counts AS (
  SELECT
    (SELECT count(*) FROM given WHERE distance IS NULL OR NOT isfinite(distance) OR distance < 0) AS no_distances,
    (
      SELECT count(*)
      FROM given
      LEFT JOIN queried ON queried.record = given.record
      LEFT JOIN found ON found.record = given.neighbor
      WHERE queried.record IS NULL OR found.record IS NULL OR given.rank IS NULL OR given.rank < 1
    ) AS strangers,
    (SELECT count(*) FROM ranked WHERE times > 1 OR distance < before) AS out_of_order,
    count(CASE WHEN ranks < $k THEN 1 END) AS missing,
    min(CASE WHEN ranks < $k THEN record END) AS first_missing
  FROM ranks
),
problems AS (
  SELECT
    CASE
      WHEN no_distances > 0 THEN
        'OptionError: ' || no_distances || ' of the distances in ' || label(distances)
        || ' are missing, NaN, infinite or below 0; give finite ones'
      WHEN strangers > 0 THEN
        'OptionError: ' || strangers || ' rows of ' || label(distances)
        || ' have an invalid query, rank or neighbor: query and neighbor are positions from 0 (with a holdout, its records follow those of train), rank counts from 1'
      WHEN out_of_order > 0 THEN
        'OptionError: ' || out_of_order || ' rows of ' || label(distances)
        || ' repeat a rank of their query, or have a smaller distance than the rank before; rank 1 is the nearest'
      WHEN missing > 0 THEN
        'OptionError: ' || missing || ' queries have fewer than ' || $k || ' neighbors in ' || label(distances)
        || ', such as record ' || first_missing || ' of ' || label(queries) || '; give the ranks 1 to ' || $k || ' of each'
    END AS message
  FROM counts
)
SELECT record, rank, neighbor, distance
FROM given
WHERE (SELECT none_lacks(message) AS is_complete FROM problems)
