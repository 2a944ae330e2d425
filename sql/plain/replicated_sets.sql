/*
summary = "How many people have a replicated unique in each set of columns, by GROUP BY only, so that values stay in the database."
part = true
reads.compares = true
reads.unites = true
run.stands_in = ["no kernel", "other databases"]
tables = ["synthetic", "train", "holdout?"]
*/
WITH held AS (
  SELECT DISTINCT
    found.width, found.first, found.second, found.third, found.fourth, found.person,
    CASE WHEN found.position < members.records THEN 1 ELSE 0 END AS is_member
  FROM replicated_keys(synthetic := synthetic, train := train, holdout := holdout) AS found
  CROSS JOIN (SELECT count(*) AS records FROM encoded(train)) AS members
),
-- One value in all real records makes a set say no more than the other columns.
constant AS (
  SELECT position
  FROM unique_cells(synthetic := synthetic, train := train, holdout := holdout)
  WHERE real = 1
  GROUP BY position
  HAVING min(code) = max(code)
),
counted AS (
  SELECT width, first, second, third, fourth, sum(is_member) AS members, sum(1 - is_member) AS others
  FROM held
  WHERE width = 1 OR NOT EXISTS (
    SELECT 1
    FROM constant
    WHERE constant.position IN (held.first, held.second, held.third, held.fourth)
  )
  GROUP BY width, first, second, third, fourth
),
names AS (
  SELECT this_position AS position, this_name AS name
  FROM each_column(compared)
)
SELECT
  row_number() OVER (ORDER BY counted.width, counted.first, counted.second, counted.third, counted.fourth) AS place,
  CASE counted.width
    WHEN 1 THEN [a.name]
    WHEN 2 THEN [a.name, b.name]
    WHEN 3 THEN [a.name, b.name, c.name]
    ELSE [a.name, b.name, c.name, d.name]
  END AS columns,
  CAST(counted.width AS BIGINT) AS width,
  CAST(counted.members AS BIGINT) AS members,
  CAST(counted.others AS BIGINT) AS others
FROM counted
LEFT JOIN names AS a ON a.position = counted.first
LEFT JOIN names AS b ON b.position = counted.second
LEFT JOIN names AS c ON c.position = counted.third
LEFT JOIN names AS d ON d.position = counted.fourth
