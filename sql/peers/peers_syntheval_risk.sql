/*
summary = "The epsilon identifiability risk of SynthEval (eps_risk): the share of train records that are nearer to synthetic than to each other, in weighted columns."
source = """\
SynthEval 1.7, its distance gower; Yoon et al., IEEE Journal of Biomedical and Health Informatics 24 (2020). Problems: the \
weight of a column is 1 / (entropy + 1e-16), where numbers are scaled to their range and rounded to 0 or 1, so that a single column with \
hardly any value above the middle of its range can determine the result, with a weight of up to 1e16; the weights of categories are then \
scaled to a mean of 1, those of numbers are not; the number of holdout records is divided by the rows of train, so that the privacy loss is \
too high for a small holdout and too low for a large one; a synthetic table equal to train has risk 0 (here 1). Use identifiability."""
options = ["distance.columns", "distance.exclude", "distance.numeric", "distance.categorical", "distance.key"]
reads.compares = true
run.asks_before = { weights = "rounded_entropies" }
example = { synthetic = "synthetic", train = "train", holdout = "holdout", columns = ["city", "n"] }
tables = ["synthetic", "train", "holdout?"]

[columns]
eps_risk = "DOUBLE, from 0 to 1; NULL if train has fewer than two records"
privacy_loss = "DOUBLE, eps_risk minus (the number of such holdout records / rows of train); NULL without a holdout"
*/
WITH everybody AS (
  SELECT * FROM everybody(synthetic := synthetic, train := train, holdout := holdout)
),
found AS (
  SELECT 1 AS real, CASE WHEN to_other_table < to_own_table THEN 1 ELSE 0 END AS hit
  FROM nearer(records := train, others := synthetic, train := everybody)

  UNION ALL

  SELECT 0 AS real, CASE WHEN to_other_table < to_own_table THEN 1 ELSE 0 END AS hit
  FROM nearer(records := holdout, others := synthetic, train := everybody)
  WHERE $holdout IS NOT NULL
),
counted AS (
  SELECT
    CAST(sum(CASE WHEN real = 1 THEN hit ELSE 0 END) AS DOUBLE) AS of_train,
    CAST(sum(CASE WHEN real = 0 THEN hit ELSE 0 END) AS DOUBLE) AS of_holdout,
    nullif(sum(real), 0) AS records
  FROM found
)
SELECT
  of_train / records AS eps_risk,
  CASE WHEN $holdout IS NOT NULL THEN of_train / records - of_holdout / records END AS privacy_loss
FROM counted
