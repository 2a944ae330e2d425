/*
summary = "Sections dcr and nndr of evaluate: the distribution of the distances, compared with those of real rows."
part = true
tables = ["synthetic", "train", "holdout?"]

[numbers]
always = ["{dcr,nndr_second,nndr_within_synthetic,nndr_local,nndr_global}.{synthetic_train,train_train}.{n,min,p01,p05,p25,median,p75,mean,max,share_zero}"]
holdout = ["{dcr,nndr_second,nndr_within_synthetic,nndr_local,nndr_global}.holdout_train.{n,min,p01,p05,p25,median,p75,mean,max,share_zero}"]
*/
WITH words AS (
  SELECT 'n' AS statistic, 1 AS place, CAST(NULL AS VARCHAR) AS better,
    'How many records were measured.' AS meaning
  UNION ALL SELECT 'min', 2, 'higher', 'The closest that any record comes.'
  UNION ALL SELECT 'p01', 3, 'higher', 'One record in a hundred comes closer than this.'
  UNION ALL SELECT 'p05', 4, 'higher', 'One record in twenty comes closer than this.'
  UNION ALL SELECT 'p25', 5, 'higher', 'One record in four comes closer than this.'
  UNION ALL SELECT 'median', 6, 'higher', 'Half of the records come closer than this.'
  UNION ALL SELECT 'p75', 7, 'higher', 'Three records in four come closer than this.'
  UNION ALL SELECT 'mean', 8, 'higher', 'The average over all records.'
  UNION ALL SELECT 'max', 9, 'higher', 'The farthest that any record is.'
  UNION ALL SELECT 'share_zero', 10, 'lower', 'The share of records at 0: nothing tells them from a real record.'
)
SELECT
  CASE WHEN found.metric = 'dcr' THEN 'dcr' ELSE 'nndr' END AS section,
  -- From 400 for dcr, from 500 for nndr.
  CASE WHEN found.metric = 'dcr' THEN 400 ELSE 480 + 10 * found.position END
    + CASE found.comparison WHEN 'synthetic_train' THEN 0 WHEN 'holdout_train' THEN 1 ELSE 2 END AS position,
  found.metric,
  found.comparison AS variant,
  words.statistic,
  words.place,
  CASE WHEN found.comparison = 'synthetic_train' THEN words.better END AS better,
  CASE found.comparison
    WHEN 'synthetic_train' THEN 'Synthetic records to their closest train record: '
    WHEN 'holdout_train' THEN 'Holdout records to their closest train record, as a yardstick: '
    ELSE 'Train records to the closest other train record, as a yardstick: '
  END || words.meaning AS meaning,
  CASE words.statistic
    WHEN 'n' THEN CAST(found.n AS DOUBLE)
    WHEN 'min' THEN found."min"
    WHEN 'p01' THEN found.p01
    WHEN 'p05' THEN found.p05
    WHEN 'p25' THEN found.p25
    WHEN 'median' THEN found.median
    WHEN 'p75' THEN found.p75
    WHEN 'mean' THEN found.mean
    WHEN 'max' THEN found."max"
    ELSE found.share_zero
  END AS value,
  CAST(NULL AS DOUBLE) AS lower,
  CAST(NULL AS DOUBLE) AS upper
FROM statistics(
  measured := measured(synthetic := synthetic, train := train, holdout := holdout, partial := true, partial_within := true)
) AS found
CROSS JOIN words
