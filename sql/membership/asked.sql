/*
summary = "The real records that attacks by distance and by agreement score in a quick evaluation: those of some people of each side."
options = ["seed"]
part = true
run.materialized = true
tables = ["train", "holdout"]
*/
-- record counts these from 0, asked is their number in population.
WITH people AS (
  SELECT record AS asked, dense_rank() OVER (ORDER BY drawn(2 * first_record, $seed), first_record) AS place
  FROM first_records(train)

  UNION ALL

  SELECT
    others.record + sizes.members AS asked,
    dense_rank() OVER (ORDER BY drawn(2 * others.first_record + 1, $seed), others.first_record) AS place
  FROM first_records(holdout) AS others
  CROSS JOIN (SELECT count(*) AS members FROM encoded(train)) AS sizes
)
SELECT row_number() OVER (ORDER BY people.asked) - 1 AS record, people.asked, each(compared, everybody.this_column)
FROM people
JOIN population(train := train, holdout := holdout) AS everybody ON everybody.record = people.asked
WHERE people.place <= $most_asked
