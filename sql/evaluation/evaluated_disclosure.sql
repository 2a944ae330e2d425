/*
summary = "Section disclosure of evaluate: what follows from the quasi-identifiers, for people of train and for others."
part = true
tables = ["synthetic", "train", "holdout?"]

[parameters]
quasi_identifiers = { type = "names", optional = true, doc = "as in evaluate" }
targets = { type = "names", optional = true, doc = "as in evaluate" }
among = { type = "text", default = "targets", doc = "the group of columns" }

[numbers]
targets = ["disclosure.replicated_uniques", "disclosure.{targets}.{correct_disclosures,DCAP,baseline}"]
"targets and holdout" = ["disclosure.{replicated_uniques_control,replicated_uniques_excess}", "disclosure.{targets}.{correct_disclosures,DCAP,baseline}_{control,excess}"]
*/
WITH measures AS (
  SELECT 'replicated_uniques' AS measure, 1 AS rank, 'lower' AS better,
    'Train records that nobody else equals in the quasi-identifiers, and that exactly one synthetic record equals, as a share of all.' AS meaning
  UNION ALL SELECT 'correct_disclosures', 2, 'lower',
    'Train records whose synthetic class has one value of the column, the right one, as a share of all.'
  UNION ALL SELECT 'DCAP', 3, 'lower',
    'How often the value is guessed right that a random synthetic record of the same quasi-identifiers has.'
  UNION ALL SELECT 'baseline', 4, CAST(NULL AS VARCHAR),
    'How often the value of a random train record is right, whatever the quasi-identifiers.'
),
words AS (
  SELECT '' AS ending, 1 AS step, CAST(NULL AS VARCHAR) AS meaning
  UNION ALL SELECT '_control', 2, 'The same for holdout records, which were not in the training data: what holds for people like them.'
  WHERE $holdout IS NOT NULL
  UNION ALL SELECT '_excess', 3, 'The difference of the two: what is learned about people because they were in the training data.'
  WHERE $holdout IS NOT NULL
)
SELECT
  'disclosure' AS section,
  1001 + found.position AS position,
  'disclosure' AS metric,
  found.target AS variant,
  measures.measure || words.ending AS statistic,
  10 * measures.rank + words.step AS place,
  CASE WHEN words.step <> 2 THEN measures.better END AS better,
  coalesce(words.meaning, measures.meaning) AS meaning,
  CASE words.step WHEN 1 THEN found.value WHEN 2 THEN found.control ELSE found.excess END AS value,
  CASE WHEN words.step = 3 THEN found.lower END AS lower,
  CASE WHEN words.step = 3 THEN found.upper END AS upper
FROM (
  SELECT position, target, measure, value, holdout AS control, excess, lower, upper
  FROM disclosure(
    synthetic := synthetic, train := train, holdout := holdout,
    quasi_identifiers := $quasi_identifiers, targets := $targets
  )
) AS found
JOIN measures ON measures.measure = found.measure
CROSS JOIN words
