/*
summary = "The smallest combinations of values that one person alone has, and that a synthetic record has too."
source = "Sample uniques of statistical disclosure control: Elliot, Manning and Ford, International Journal of Uncertainty, Fuzziness and Knowledge-Based Systems 10 (2002)."
options = ["attack.width", "attack.combinations", "distance.columns", "distance.exclude", "distance.numeric", "distance.categorical", "distance.weights", "distance.key", "unit.unit", "unit.shared_units", "sequence"]
compares = true
units = ["train", "holdout"]
columns_with = { person = "unit" }
order = ["side_position", "record", "place"]
keys = { record = ["train", "holdout"], synthetic = "synthetic" }
side = "side"

[parameters]
synthetic = { type = "relation", doc = "the synthetic table" }
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
holdout = { type = "relation", optional = true, doc = "real rows that it never saw: they count among those who are unique, and show what chance replicates" }

[columns]
side = "VARCHAR, train or holdout: whose record it is"
person = "ANY, with unit only: the person, in the type of the unit"
record = "BIGINT, the record's 0-based position in scan order, of a run that of its first row; of a person, its record where most of its replicated uniques stand first"
columns = "VARCHAR[], the columns in which no other real record, or person, has the same values; of each record its smallest such combinations only"
synthetic = "BIGINT, the first synthetic record that has these values"
also = "BIGINT, how many synthetic records have them"
*/
SELECT
  found.side,
  CASE found.side WHEN 'train' THEN 1 ELSE 2 END AS side_position,
  CAST(NULL AS BIGINT) AS person,
  found.record,
  found.place,
  found.columns,
  found.synthetic,
  found.also
FROM smallest_uniques(synthetic := synthetic, train := train, holdout := holdout) AS found
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
  found.also
FROM smallest_uniques(synthetic := synthetic, train := train, holdout := holdout) AS found
JOIN persons(train := train, holdout := holdout) AS persons
  ON persons.side = found.side AND persons.record = found.record
WHERE $unit IS NOT NULL AND (SELECT is_enough FROM enough_of_all(synthetic := synthetic, train := train))
