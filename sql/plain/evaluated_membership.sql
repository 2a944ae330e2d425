/*
summary = "No rows of the section membership: its search for agreement has no plain SQL."
part = true
options = ["attack.most"]
run.warning = "The sections membership, exposure, exposure_by and dimensions are left out: they are computed where the kernel is."
run.stands_in = ["no kernel"]
tables = ["synthetic", "train", "holdout"]

[parameters]
attack = { type = "names", default = ["distance", "density", "agreement", "agreement_near", "uniques", "learned"], doc = "as in evaluate" }
scores = { type = "relation", optional = true, columns = ["score"], doc = "scores of the user's own attacks" }
*/
SELECT
  'membership' AS section, 0 AS position, 'membership' AS metric, CAST(NULL AS VARCHAR) AS variant, '' AS statistic, 0 AS place,
  CAST(NULL AS VARCHAR) AS better, '' AS meaning, CAST(NULL AS DOUBLE) AS value, CAST(NULL AS DOUBLE) AS lower,
  CAST(NULL AS DOUBLE) AS upper
WHERE 1 = 0
