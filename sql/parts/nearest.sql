/*
summary = "The k nearest records of reference for every record of queries (fewer if reference is smaller), on the scale of train."
part = true
run.materialized = true
run.widest = "k"
run.operator = "search"

[parameters]
queries = { type = "relation", doc = "the records whose neighbors are searched" }
reference = { type = "relation", doc = "the records that are searched" }
train = { type = "relation", doc = "the table that determines the scale" }
k = { type = "integer", default = 1, doc = "neighbors per record" }
exclude_self = { type = "boolean", default = false, doc = "queries and reference are the same table: exclude each record itself" }
ties = { type = "boolean", default = false, doc = "with k = 1: return all records at the smallest distance, each with rank 1" }
most_ties = { type = "integer", optional = true, doc = "the maximum number of these ties; the smallest record numbers are returned" }
among = { type = "text", optional = true, doc = "the group of columns to compare; by default the first" }
apart = { type = "boolean", default = false, doc = "leave out columns whose numbers lie elsewhere in reference than in queries" }
*/
-- synthpriv_search returns the neighbors of all records in one list, k for each.
SELECT
  hits.position // hits.k AS record,
  CASE WHEN $ties THEN 1 ELSE CAST(hits.position % hits.k + 1 AS INTEGER) END AS rank,
  hits.neighbor AS neighbor,
  hits.distance AS distance
FROM (
  SELECT
    answer.found.k AS k,
    generate_subscripts(answer.found.neighbors, 1) - 1 AS position,
    unnest(answer.found.neighbors) AS neighbor,
    unnest(answer.found.distances) AS distance
  FROM (
    SELECT
      synthpriv_search(
        -- If both are the same table, it is passed only once: DuckDB copies joined values.
        CASE WHEN $exclude_self THEN NULL ELSE query_pages.pages END,
        reference_pages.pages,
        scale.spreads,
        {
          'metric': $metric,
          'vectors': $vectors,
          'k': $k,
          'exclude_self': $exclude_self,
          'ties': $ties,
          'most_ties': $most_ties,
          'category_mismatch': $category_mismatch,
          'columns': [each(compared, this_name)],
          'roles': [each(compared, this_role)],
          'units': [each(compared, this_unit)],
          'noted': $noted,
          'apart': $apart,
          'weights': [each(compared, this_distance_weight)],
          'queries': label(queries),
          'reference': label(reference),
          'threads': current_setting('threads'),
          'memory': parse_formatted_bytes(current_setting('memory_limit'))
        }
      ) AS found
    FROM pages(queries) AS query_pages
    CROSS JOIN pages(reference) AS reference_pages
    CROSS JOIN scales(train) AS scale
  ) AS answer
) AS hits
WHERE NOT $ties OR hits.neighbor >= 0
