/*
summary = "How likely each real record is a member of train, under one attack, with the responsible synthetic record."
source = "Record linkage: Fellegi and Sunter, JASA 64 (1969); nearest neighbors as an attack: Chen et al., CCS 2020 (distance, calibrated); Hilprecht et al., PoPETs 2019; densities: van Breugel et al., AISTATS 2023."
options = ["attack.near", "attack.width", "attack.combinations", "attack.bandwidth", "attack.folds", "attack.hints", "distance", "unit", "sequence", "seed", "release"]
reads.units = ["train", "holdout"]
gives.columns_with = { person = "unit", release = "releases" }
order = ["side_position", "record"]
keys = { record = ["train", "holdout"], synthetic = "synthetic" }
gives.side = "side"
example = { synthetic = "synthetic", train = "train", holdout = "holdout", key = "id", attack = "density", k = 2 }
tables = ["synthetic", "train", "holdout?"]

[parameters]
holdout = { doc = "real rows that it never saw: they show the scores without a leak" }
attack = { type = "text", default = "agreement", choices = ["distance", "ratio", "density", "calibrated", "agreement", "agreement_near", "uniques", "kernel", "learned", "own"], doc = "the attack that computes the score", beside = { calibrated = "reference", learned = "holdout", own = "scores" } }
k = { type = "integer", default = 1, minimum = 1, doc = "the neighbor whose distance the attack density compares" }
reference = { type = "relation", optional = true, doc = "further real rows, in neither train nor the holdout, for the attack calibrated" }
scores = { type = "relation", optional = true, columns = ["score"], doc = "scores of your own attacks: one finite score per record of train and the holdout, identified by side and record, by record alone (train, then the holdout), or by the key; attack names several attacks, a single one is own" }

[columns]
side = "VARCHAR, train or holdout: the table of the record"
person = "ANY, only with unit: the person, in the type of the unit"
record = "BIGINT, the record's 0-based position in scan order; for a person, the record with the largest score"
score = "DOUBLE, larger for a more likely member; its unit depends on the attack. Always finite: infinite scores of density (one of its two distances is 0) are replaced by the largest finite score + 1, or the smallest - 1"
synthetic = "BIGINT, the synthetic record responsible for the score; for learned, the closest one"
release = "VARCHAR, only with releases: the table whose record synthetic is: synthetic for the newest, otherwise its name in releases"
evidence = "VARCHAR[], only for learned, otherwise empty: up to three features that raise the score most, measured by its decrease when the feature is set to its median"
*/
SELECT
  side,
  CASE side WHEN 'train' THEN 1 ELSE 2 END AS side_position,
  person,
  record,
  score,
  synthetic,
  release,
  evidence
FROM scored(
  synthetic := synthetic, train := train, holdout := holdout, reference := reference, scores := scores, attack := $attack, k := $k,
  evidence := true
)
