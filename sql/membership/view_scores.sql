/*
summary = "The scores of each real person under every attack except learned, one column each."
options = ["attack.width", "attack.combinations", "distance", "unit", "sequence", "types"]
part = true
reads.units = ["train", "holdout"]
gives.columns_with = { person = "unit" }
order = ["side", "record"]
keys = { record = ["train", "holdout"] }
gives.side = "side"
reads.compares = true
reads.vectors = true
tables = ["synthetic", "train", "holdout"]

[columns]
side = "VARCHAR, train or holdout"
person = "ANY, only with unit: the person, in the type of the unit"
record = "BIGINT, the record, or the first one of the person"
distance = "DOUBLE, as in membership_scores"
density = "DOUBLE, likewise"
agreement = "DOUBLE, likewise"
uniques = "DOUBLE, likewise"
*/
SELECT
  near.side,
  near.person,
  near.first_record AS record,
  near.score AS distance,
  dense.score AS density,
  agreed.score AS agreement,
  replicated.score AS uniques
FROM scored(synthetic := synthetic, train := train, holdout := holdout, attack := 'distance') AS near
JOIN scored(synthetic := synthetic, train := train, holdout := holdout, attack := 'density') AS dense
  ON dense.side = near.side AND dense.first_record = near.first_record
JOIN scored(synthetic := synthetic, train := train, holdout := holdout, attack := 'agreement') AS agreed
  ON agreed.side = near.side AND agreed.first_record = near.first_record
JOIN scored(synthetic := synthetic, train := train, holdout := holdout, attack := 'uniques') AS replicated
  ON replicated.side = near.side AND replicated.first_record = near.first_record
