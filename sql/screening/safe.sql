/*
summary = "The synthetic records that screen does not flag, as they are: ready for CREATE TABLE AS."
source = "As screen."
options = ["distance"]
columns_of = "own"
order = ["record"]

[parameters]
synthetic = { type = "relation", doc = "the synthetic table" }
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
holdout = { type = "relation", optional = true, doc = "real rows that it never saw; without it, train within itself is the baseline" }
dcr_below = { type = "number", optional = true, minimum = 0, doc = "as in screen" }
nndr_below = { type = "number", optional = true, minimum = 0, doc = "as in screen" }
*/
SELECT
  each(own, own.this_column),
  screened.record
FROM own(synthetic) AS own
JOIN screened(
  synthetic := synthetic, train := train, holdout := holdout, dcr_below := $dcr_below, nndr_below := $nndr_below
) AS screened ON screened.record = own.record
WHERE NOT (screened.is_copy OR screened.is_dcr_below OR screened.is_nndr_below)
