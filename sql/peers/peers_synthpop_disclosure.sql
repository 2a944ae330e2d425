/*
summary = "The results of disclosure() of synthpop, in percent: repU, DiSCO and related measures for each target."
source = """\
synthpop 1.9-2 (R), Raab, Nowok and Dibben, arXiv 2406.16826. Problems: most of what it calls \
disclosure also affects people who were not in the training data, which it cannot measure without a holdout; its TCAP \
divides by all keys that synthetic has, not by those with one target value; its options that leave out cells also change \
the measures of identity disclosure. Use disclosure, which has the same measures for a holdout."""
reads.groups = ["targets", "quasi_identifiers"]
reads.rest = "targets"
order = ["position"]
run.few = true
example = { synthetic = "synthetic", train = "train", quasi_identifiers = ["city"], targets = ["n"], bins = 3 }
tables = ["synthetic", "train"]

[parameters]
quasi_identifiers = { type = "names", doc = "the keys: the columns that an attacker knows of a person" }
targets = { type = "names", optional = true, doc = "the columns that the attacker wants to learn; by default all others" }
bins = { type = "integer", default = 0, minimum = 0, doc = "the number of groups, with equally many train records each, that numeric targets are binned into; 0: no binning" }

[columns]
target = "VARCHAR"
UiO = "DOUBLE, per cent of train records that are unique by the keys; like repU and iS, the same for all targets"
repU = "DOUBLE, per cent of train records that are unique in train and in synthetic"
iS = "DOUBLE, per cent of train records whose keys synthetic has"
Dorig = "DOUBLE, per cent of train records whose target follows from their keys in train"
Dsyn = "DOUBLE, the same for synthetic records in synthetic"
DiS = "DOUBLE, per cent of train records whose keys have one target value in synthetic"
DiSCO = "DOUBLE, per cent of train records for which that value is correct"
DiSDiO = "DOUBLE, per cent of train records for which it also follows in train"
baseCAPd = "DOUBLE, per cent of correct guesses by the shares of train"
CAPd = "DOUBLE, correct attribution probability in train, per cent"
CAPs = "DOUBLE, in synthetic"
DCAP = "DOUBLE, of train from synthetic, 0 if synthetic lacks the keys"
TCAP = "DOUBLE, DiSCO over iS, per cent"
*/
WITH names AS (
  SELECT this_position AS position, this_name AS target
  FROM each_column(targets)
)
SELECT
  names.position,
  names.target,
  100.0 * sums.uniques / nullif(sums.real_rows, 0) AS "UiO",
  100.0 * sums.replicated / nullif(sums.real_rows, 0) AS "repU",
  100.0 * sums.in_synthetic / nullif(sums.real_rows, 0) AS "iS",
  100.0 * sums.attributable / nullif(sums.real_rows, 0) AS "Dorig",
  100.0 * sums.attributable_synthetic / nullif(sums.synthetic_rows, 0) AS "Dsyn",
  100.0 * sums.disclosive / nullif(sums.real_rows, 0) AS "DiS",
  100.0 * sums.correct / nullif(sums.real_rows, 0) AS "DiSCO",
  100.0 * sums.correct_in_both / nullif(sums.real_rows, 0) AS "DiSDiO",
  100.0 * sums.same_value / nullif(CAST(sums.real_rows AS DOUBLE) * sums.real_rows, 0) AS "baseCAPd",
  100.0 * sums.cap_real AS "CAPd",
  100.0 * sums.cap_synthetic AS "CAPs",
  100.0 * sums.cap AS "DCAP",
  100.0 * sums.correct / nullif(sums.in_synthetic, 0) AS "TCAP"
FROM names
JOIN disclosure_sums(synthetic := synthetic, train := train, bins := $bins) AS sums
  ON sums.position = names.position AND sums.side = 'train'
