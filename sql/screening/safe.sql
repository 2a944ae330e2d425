/*
summary = "The synthetic table without the records that screen flags: its original columns, ready for CREATE TABLE AS."
source = "As screen."
options = ["attack.near", "attack.width", "attack.combinations", "attack.folds", "distance", "unit", "seed", "release", "spending"]
reads.units = ["synthetic", "train", "holdout"]
gives.columns_of = "own"
reads.common = true
order = ["record"]
run.sets = { released = "alone", released_of = ["alone", "before", "union"] }
example = { synthetic = "synthetic", train = "train", key = "id" }
tables = ["synthetic", "train", "holdout?"]

[parameters]
holdout = { doc = "real rows that it never saw; without them, the baseline is train within itself" }
dcr_below = { type = "number", optional = true, minimum = 0, doc = "as in screen" }
nndr_below = { type = "number", optional = true, minimum = 0, doc = "as in screen" }
false_discovery = { type = "number", optional = true, above = 0, below = 1, beside = "holdout", doc = "flag the records that expose people of train, as in exposure (with releases, those that add somebody to them); by default nobody is searched for" }
attack = { type = "names", default = ["agreement"], choices = ["all", "distance", "ratio", "density", "agreement", "agreement_near", "uniques", "learned"], doc = "as in exposure; for uniques, every record with a replicated unique of an exposed person is flagged" }
k = { type = "integer", default = 1, minimum = 1, doc = "as in exposure" }
near_texts = { type = "boolean", own = true, default = true, doc = "as in screen" }
rounds = { type = "integer", default = 1, minimum = 1, maximum = 20, doc = "number of rounds of searching for exposed people, each on the remaining records" }
copies_only = { type = "boolean", default = false, doc = "remove only copies, and records at distance 0 of a real one: the same as dcr_below 0" }
until_safe = { type = "boolean", default = false, doc = """remove copies, then the records that carry most of whom attack names or gives away, a few at a time, until \
  nobody is named and fewer than five are given away at the top of a list; reports the number of records and \
  rounds. By default of attack, uniques and agreement name, and distance, density and agreement_near give away, \
  too. With releases, people whom those before give away alone are left aside, as no change of this table protects \
  them. Only in Python and on the command line, since it runs several statements""" }
*/
WITH screened AS (
  SELECT record, is_flagged
  FROM screened(
    synthetic := synthetic,
    train := train,
    holdout := holdout,
    dcr_below := $dcr_below,
    nndr_below := $nndr_below,
    false_discovery := $false_discovery,
    attack := $attack,
    k := $k,
    near_texts := $near_texts
  )
),
flagged AS (
  SELECT record
  FROM screened
  WHERE is_flagged
),
-- Records that expose people once the others are removed.
flagged_later AS (
  SELECT record
  FROM exposing_later(
    synthetic := synthetic, flagged := flagged, train := train, holdout := holdout,
    false_discovery := $false_discovery, attack := $attack, k := $k, rounds := $rounds - 1
  )
  WHERE $false_discovery IS NOT NULL AND $rounds > 1

  UNION ALL

  SELECT CAST(NULL AS BIGINT) AS record
  WHERE $false_discovery IS NULL OR $rounds = 1
),
taken AS (
  SELECT record
  FROM flagged_later
  WHERE $unit IS NULL

  UNION ALL

  SELECT others.record
  FROM flagged_later
  JOIN owners(synthetic) AS blamed ON blamed.record = flagged_later.record
  JOIN owners(synthetic) AS others ON others.person = blamed.person
  WHERE $unit IS NOT NULL
),
later AS (
  SELECT DISTINCT record
  FROM taken
)
SELECT
  each(own, own.this_column),
  screened.record
FROM own(synthetic) AS own
JOIN screened ON screened.record = own.record
LEFT JOIN later ON later.record = own.record
WHERE NOT screened.is_flagged AND later.record IS NULL
