/*
summary = "For each real record, or person, and column of longer texts: the longest run of words that nobody else has, and that a synthetic record has, too."
part = true
reads.compares = true
reads.unites = true
tables = ["synthetic", "train", "holdout?"]

[parameters]
phrase = { type = "integer", optional = true, doc = "from how many words on" }

[columns]
place = "BIGINT, after the places of smallest_uniques"
*/
WITH names AS (
  SELECT this_position AS position, this_name AS column_name
  FROM each_column(compared)
)
SELECT
  found.side,
  found.record,
  9000000000 + names.position AS place,
  [found.column_name] AS columns,
  found.synthetic - tables.first_number AS synthetic,
  found.also,
  found.words,
  tables.release
FROM phrases_of_columns(synthetic := synthetic, train := train, holdout := holdout, phrase := $phrase) AS found
JOIN names ON names.column_name = found.column_name
JOIN released_tables() AS tables
  ON found.synthetic >= tables.first_number AND found.synthetic < tables.first_number + 1099511627776
