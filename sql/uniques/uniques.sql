/*
summary = "The smallest combinations of values that only one person has, and that also occur in a synthetic record."
source = "Sample uniques of statistical disclosure control: Elliot, Manning and Ford, International Journal of Uncertainty, Fuzziness and Knowledge-Based Systems 10 (2002)."
options = ["attack.width", "attack.combinations", "distance.columns", "distance.exclude", "distance.numeric", "distance.categorical", "distance.weights", "distance.key", "unit.unit", "unit.shared_units", "sequence", "release"]
reads.compares = true
reads.units = ["train", "holdout"]
gives.columns_with = { person = "unit", release = "releases", words = "phrase" }
order = ["side_position", "record", "place"]
keys = { record = ["train", "holdout"], synthetic = "synthetic" }
gives.side = "side"
example = { synthetic = "synthetic", train = "train", holdout = "holdout", key = "id", width = 2, combinations = 5 }
tables = ["synthetic", "train", "holdout?"]

[parameters]
holdout = { doc = "real rows that it never saw: they count for uniqueness, and show what is replicated by chance" }
phrase = { type = "integer", optional = true, minimum = 2, maximum = 32, doc = "also look at so many words in a row, or more, in columns whose texts have 6 words or more in the median; 4 is a good number, from 8 on it is hardly chance; where the kernel is: DuckDB, beside it, and Spark" }

[columns]
side = "VARCHAR, train or holdout: the table of the record"
person = "ANY, only with unit: the person, in the type of the unit"
record = "BIGINT, the record's 0-based position in scan order (for a run, of its first row); for a person, the first record of most of its replicated uniques"
columns = "VARCHAR[], columns in which no other real record, or person, has the same values; only the smallest such combinations of each record"
synthetic = "BIGINT, the first synthetic record that has these values"
release = "VARCHAR, only with releases: the table whose record synthetic is: synthetic for the newest, otherwise its name in releases"
also = "BIGINT, number of synthetic records with these values"
words = "BIGINT, only with phrase, for runs of words: how many words in a row of this column, up to 64, nobody else has; synthetic and also are of records with as many of the person's. NULL for values"
*/
WITH found AS (
  SELECT side, record, place, columns, synthetic, release, also, CAST(NULL AS BIGINT) AS words
  FROM smallest_uniques(synthetic := synthetic, train := train, holdout := holdout)

  UNION ALL

  SELECT side, record, place, columns, synthetic, release, also, words
  FROM phrase_uniques(synthetic := synthetic, train := train, holdout := holdout, phrase := $phrase)
  WHERE $phrase IS NOT NULL
)
SELECT
  found.side,
  CASE found.side WHEN 'train' THEN 1 ELSE 2 END AS side_position,
  CAST(NULL AS BIGINT) AS person,
  found.record,
  found.place,
  found.columns,
  found.synthetic,
  found.release,
  found.also,
  found.words
FROM found
WHERE $unit IS NULL AND (SELECT is_enough FROM enough_of_all(synthetic := synthetic, train := train))

UNION ALL

SELECT
  found.side,
  CASE found.side WHEN 'train' THEN 1 ELSE 2 END AS side_position,
  persons.person,
  found.record,
  found.place,
  found.columns,
  found.synthetic,
  found.release,
  found.also,
  found.words
FROM found
JOIN persons(train := train, holdout := holdout) AS persons
  ON persons.side = found.side AND persons.record = found.record
WHERE $unit IS NOT NULL AND (SELECT is_enough FROM enough_of_all(synthetic := synthetic, train := train))
