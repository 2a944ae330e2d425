/*
summary = "Statistics of counts compared with the same counts of real rows, with their meanings: rows of evaluate without the section."
part = true

[parameters]
counts = { type = "relation", doc = "one row per metric: metric, position, records, n, usual_records and usual_n" }
words = { type = "relation", doc = "one row per metric and statistic to report: metric, statistic, place, better and meaning" }
*/
SELECT
  found.position, found.metric, CAST(NULL AS VARCHAR) AS variant,
  words.statistic, words.place, words.better, words.meaning,
  CASE words.statistic
    WHEN 'share' THEN found.share
    WHEN 'expected' THEN found.expected
    WHEN 'excess' THEN found.excess
    WHEN 'overlap_excess' THEN found.excess
    WHEN 'p_value' THEN found.p_value
    ELSE CAST(found.records AS DOUBLE)
  END AS value,
  CASE words.statistic
    WHEN 'share' THEN found.share_lower
    WHEN 'expected' THEN found.expected_lower
    WHEN 'excess' THEN found.excess_lower
    WHEN 'overlap_excess' THEN found.excess_lower
  END AS lower,
  CASE words.statistic
    WHEN 'share' THEN found.share_upper
    WHEN 'expected' THEN found.expected_upper
    WHEN 'excess' THEN found.excess_upper
    WHEN 'overlap_excess' THEN found.excess_upper
  END AS upper
FROM beside_usual(counts := counts) AS found
JOIN words ON words.metric = found.metric
