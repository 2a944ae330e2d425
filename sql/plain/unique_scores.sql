/*
summary = "Replicated uniques, by GROUP BY only, so that values stay in the database."
part = true
run.stands_in = ["no kernel", "other databases"]
tables = ["synthetic", "train", "holdout?"]
*/
WITH replicated AS (
  SELECT *
  FROM replicated_keys(synthetic := synthetic, train := train, holdout := holdout)
),
counted AS (
  SELECT person, count(*) AS score
  FROM (SELECT DISTINCT first, second, third, fourth, one, two, three, four, person FROM replicated) AS once
  GROUP BY person
),
holders AS (
  SELECT person, synthetic, count(*) AS times
  FROM replicated
  GROUP BY person, synthetic
),
blamed AS (
  SELECT person, synthetic, row_number() OVER (PARTITION BY person ORDER BY times DESC, synthetic) AS place
  FROM holders
)
SELECT
  owners.side,
  owners.record,
  owners.first_record,
  CAST(coalesce(counted.score, 0) AS DOUBLE) AS score,
  blamed.synthetic - tables.first_number AS synthetic,
  tables.release
FROM unique_owners(train := train, holdout := holdout, replicated := replicated) AS owners
LEFT JOIN counted ON counted.person = owners.person
LEFT JOIN blamed ON blamed.person = owners.person AND blamed.place = 1
LEFT JOIN released_tables() AS tables
  ON blamed.synthetic >= tables.first_number AND blamed.synthetic < tables.first_number + 1099511627776
