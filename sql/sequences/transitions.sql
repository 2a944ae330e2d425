/*
summary = "How often each category is followed by each other one in the rows of a person; missing values form a category."
part = true
run.few = true
run.materialized = true
tables = ["relation"]

[parameters]
relation = { doc = "a table with several rows per person" }
*/
WITH categories AS (
  SELECT this_position AS position, person, place, rows_of_person, this_column AS category
  FROM each_column(categorical, placed(relation))
),
neighbors_in_time AS (
  SELECT
    position,
    place,
    rows_of_person,
    category,
    lead(category) OVER (PARTITION BY position, person ORDER BY place) AS next_category
  FROM categories
)
SELECT position, category, next_category, CAST(count(*) AS BIGINT) AS records
FROM neighbors_in_time
WHERE place < rows_of_person
GROUP BY position, category, next_category
