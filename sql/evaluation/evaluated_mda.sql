/*
summary = "Section mda of evaluate: privacy and resemblance in two areas of one curve."
part = true
tables = ["synthetic", "train"]

[parameters]
threshold = { type = "numbers", default = 0.2, doc = "as in mda" }
normalizer = { type = "number", optional = true, doc = "as in mda" }

[numbers]
always = ["mda.threshold {threshold}.{privacy,privacy_area,resemblance,tradeoff_area}"]
*/
WITH words AS (
  SELECT 'privacy' AS statistic, 1 AS place, 'higher' AS better,
    'How far apart synthetic and real records are within the threshold: 1 is perfect, 0 a copy.' AS meaning
  UNION ALL SELECT 'privacy_area', 2, 'lower', 'The area that is subtracted from 1 to give privacy.'
  UNION ALL SELECT 'resemblance', 3, 'higher',
    'How alike the two tables are beyond the threshold: 1 is perfect. This is use, not privacy.'
  UNION ALL SELECT 'tradeoff_area', 4, 'higher',
    'The area under resemblance as a function of privacy over all thresholds.'
)
SELECT
  'mda' AS section, 800 AS position, 'mda' AS metric, 'threshold ' || found.threshold AS variant, words.*,
  CASE words.statistic
    WHEN 'privacy' THEN found.privacy
    WHEN 'privacy_area' THEN found.privacy_area
    WHEN 'resemblance' THEN found.resemblance
    ELSE found.tradeoff_area
  END AS value,
  CAST(NULL AS DOUBLE) AS lower, CAST(NULL AS DOUBLE) AS upper
FROM mda(a := synthetic, b := train, threshold := $threshold, normalizer := $normalizer) AS found
CROSS JOIN words
