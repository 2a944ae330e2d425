/*
summary = "Every synthetic record with its distance to real records, and the reasons to remove it (the table without them: safe)."
source = "Copies on the raw values; the limit of DCR is the 5th percentile of distances between real rows."
options = ["attack.near", "attack.width", "attack.combinations", "attack.folds", "distance", "unit", "seed", "release", "spending"]
reads.units = ["synthetic", "train", "holdout"]
gives.columns_of = "own"
reads.common = true
gives.columns_with = { words = "near_texts" }
order = ["record"]
keys = { record = "synthetic" }
run.sets = { released = "alone", released_of = ["alone", "before", "union"] }
example = { synthetic = "synthetic", train = "train", holdout = "holdout", key = "id", dcr_below = 0.05 }
tables = ["synthetic", "train", "holdout?"]

[parameters]
holdout = { doc = "real rows that it never saw; without them, the baseline is train within itself" }
dcr_below = { type = "number", optional = true, minimum = 0, doc = "flag records with a DCR below this; by default the 5th percentile of the baseline, with false_discovery 0. 0: no limit, which flags only records at distance 0" }
nndr_below = { type = "number", optional = true, minimum = 0, doc = "flag records with an NNDR (second) below this; by default there is no limit" }
false_discovery = { type = "number", optional = true, above = 0, below = 1, beside = "holdout", doc = "flag the records that expose people of train, as in exposure (with releases, those that add somebody to them); by default nobody is searched for" }
attack = { type = "names", default = ["agreement"], choices = ["all", "distance", "ratio", "density", "agreement", "agreement_near", "uniques", "learned"], doc = "as in exposure; for uniques, every record with a replicated unique of an exposed person is flagged" }
k = { type = "integer", default = 1, minimum = 1, doc = "as in exposure" }
near_texts = { type = "boolean", own = true, default = true, doc = "also flag records with names, addresses or notes that one person of train alone has, as they are or nearly, or with 8 of their words in a row, also in columns that are not compared (see docs/tasks/text.md); where the kernel is" }

[columns]
record = "BIGINT, the record's 0-based position in scan order; renamed (record_1), like the columns below, if synthetic has a column of that name"
dcr = "DOUBLE, the distance to the closest train record"
nndr = "DOUBLE, nearest / second nearest distance; NULL if train has only one row"
copies = "BIGINT, train records equal to it"
flagged = "BOOLEAN, whether there is a reason to remove it"
reasons = """VARCHAR[], any of copy, dcr_zero (at distance 0, whatever the weights), dcr_below, nndr_below, exposing (people of train; with releases, alone, and none whom those before expose), adding (only together with those before), text (a \
  text that one person of train alone has, as it is or nearly: in columns with more distinct values than half of all, most with more letters than digits, up to as many edits as bring back those of the holdout less than half as \
  often), phrase (8 of their words or more in a row); person: with unit, another record of the same synthetic person is flagged"""
words = "BIGINT, only with near_texts: the words of the longest run, of 8 to 64, that it shares with one person of train alone"
*/
SELECT
  each(own, own.this_column),
  screened.record,
  screened.dcr,
  screened.nndr,
  screened.copies,
  CAST(screened.is_flagged AS BOOLEAN) AS flagged,
  list_filter(
    [
      CASE WHEN screened.is_copy THEN 'copy' END,
      CASE WHEN screened.is_dcr_zero THEN 'dcr_zero' END,
      CASE WHEN screened.is_dcr_below THEN 'dcr_below' END,
      CASE WHEN screened.is_nndr_below THEN 'nndr_below' END,
      CASE WHEN screened.is_exposing THEN 'exposing' END,
      CASE WHEN screened.is_adding THEN 'adding' END,
      CASE WHEN screened.is_text THEN 'text' END,
      CASE WHEN screened.is_phrase THEN 'phrase' END,
      CASE WHEN screened.is_of_one THEN 'person' END
    ],
    lambda reason: reason IS NOT NULL
  ) AS reasons,
  screened.words
FROM own(synthetic) AS own
JOIN screened(
  synthetic := synthetic,
  train := train,
  holdout := holdout,
  dcr_below := $dcr_below,
  nndr_below := $nndr_below,
  false_discovery := $false_discovery,
  attack := $attack,
  k := $k,
  near_texts := $near_texts
) AS screened ON screened.record = own.record
