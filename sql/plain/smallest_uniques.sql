/*
summary = "The replicated uniques of the smallest combinations, by GROUP BY only, so that values stay in the database."
part = true
reads.compares = true
reads.unites = true
run.stands_in = ["no kernel", "other databases"]
tables = ["synthetic", "train", "holdout?"]
*/
WITH replicated AS (
  SELECT *
  FROM replicated_keys(synthetic := synthetic, train := train, holdout := holdout)
),
counted AS (
  SELECT
    width, first, second, third, fourth, one, two, three, four, person,
    min(synthetic) AS synthetic,
    count(*) AS also
  FROM replicated
  GROUP BY width, first, second, third, fourth, one, two, three, four, person
),
narrow AS (
  SELECT *, min(width) OVER (PARTITION BY person) AS least
  FROM counted
),
names AS (
  SELECT this_position AS position, this_name AS name
  FROM each_column(compared)
)
SELECT
  owners.side,
  owners.record,
  row_number() OVER (
    PARTITION BY owners.side, owners.record
    ORDER BY narrow.first, narrow.second, narrow.third, narrow.fourth, narrow.synthetic, narrow.one, narrow.two, narrow.three, narrow.four
  ) AS place,
  CASE narrow.width
    WHEN 1 THEN [a.name]
    WHEN 2 THEN [a.name, b.name]
    WHEN 3 THEN [a.name, b.name, c.name]
    ELSE [a.name, b.name, c.name, d.name]
  END AS columns,
  narrow.synthetic - tables.first_number AS synthetic,
  narrow.also,
  tables.release
FROM narrow
JOIN unique_owners(train := train, holdout := holdout, replicated := replicated) AS owners ON owners.person = narrow.person
LEFT JOIN names AS a ON a.position = narrow.first
LEFT JOIN names AS b ON b.position = narrow.second
LEFT JOIN names AS c ON c.position = narrow.third
LEFT JOIN names AS d ON d.position = narrow.fourth
LEFT JOIN released_tables() AS tables
  ON narrow.synthetic >= tables.first_number AND narrow.synthetic < tables.first_number + 1099511627776
WHERE narrow.width = narrow.least
