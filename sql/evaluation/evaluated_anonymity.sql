/*
summary = "Sections anonymity and reidentification of evaluate: what classes disclose about sensitive columns, and the re-identification risk of records, for each table."
part = true
tables = ["synthetic", "train", "holdout?"]

[parameters]
quasi_identifiers = { type = "names", optional = true, doc = "as in evaluate" }
sensitive = { type = "names", optional = true, doc = "as in evaluate" }
among = { type = "text", default = "sensitive", doc = "the group of columns" }

[numbers]
sensitive = ["anonymity.{synthetic,train}.{sensitive}.{k,distinct_l,entropy_l,alpha,t_equal,t_ordered}", "reidentification.{synthetic,train}.{unique_share,prosecutor_mean,prosecutor_share}"]
"sensitive and holdout" = ["anonymity.holdout.{sensitive}.{k,distinct_l,entropy_l,alpha,t_equal,t_ordered}", "reidentification.holdout.{unique_share,prosecutor_mean,prosecutor_share}"]
*/
WITH classes AS (
  SELECT 'synthetic' AS side, 0 AS number, *
  FROM anonymity(data := synthetic, quasi_identifiers := $quasi_identifiers, sensitive := $sensitive)

  UNION ALL

  SELECT 'train' AS side, 1 AS number, *
  FROM anonymity(data := train, quasi_identifiers := $quasi_identifiers, sensitive := $sensitive)

  UNION ALL

  SELECT 'holdout' AS side, 2 AS number, *
  FROM anonymity(data := holdout, quasi_identifiers := $quasi_identifiers, sensitive := $sensitive)
  WHERE $holdout IS NOT NULL
),
risks AS (
  SELECT 'synthetic' AS side, 0 AS number, *
  FROM reidentification(data := synthetic, quasi_identifiers := $quasi_identifiers)

  UNION ALL

  SELECT 'train' AS side, 1 AS number, *
  FROM reidentification(data := train, quasi_identifiers := $quasi_identifiers)

  UNION ALL

  SELECT 'holdout' AS side, 2 AS number, *
  FROM reidentification(data := holdout, quasi_identifiers := $quasi_identifiers)
  WHERE $holdout IS NOT NULL
),
class_words AS (
  SELECT 'k' AS statistic, 1 AS place, 'higher' AS better,
    'The smallest class: at least this many records are equal in the quasi-identifiers.' AS meaning
  UNION ALL SELECT 'distinct_l', 2, 'higher', 'The fewest different values of the column in a class.'
  UNION ALL SELECT 'entropy_l', 3, 'higher', 'The least diverse class is as diverse as this many equally frequent values.'
  UNION ALL SELECT 'alpha', 4, 'lower', 'The largest share of one value in a class.'
  UNION ALL SELECT 't_equal', 5, 'lower', 'The largest distance of a class to the whole table, by shares of values.'
  UNION ALL SELECT 't_ordered', 6, 'lower', 'The same where values have an order, by how far shares have to move; numbers and times only, else missing.'
),
risk_words AS (
  SELECT 'unique_share' AS statistic, 1 AS place, 'lower' AS better,
    'Records that are alone in their class, as a share of all.' AS meaning
  UNION ALL SELECT 'prosecutor_mean', 2, 'lower',
    'How often somebody is found who is known to be in the table, by a guess among the records of the class.'
  UNION ALL SELECT 'prosecutor_share', 3, 'lower', 'Records for which that guess is right more often than once in five times, as a share of all.'
)
SELECT
  'anonymity' AS section, 2000 + 100 * found.number + found.position AS position, 'anonymity' AS metric,
  found.side || '.' || found.column_name AS variant, class_words.*,
  CASE class_words.statistic
    WHEN 'k' THEN CAST(found.k AS DOUBLE)
    WHEN 'distinct_l' THEN CAST(found.distinct_l AS DOUBLE)
    WHEN 'entropy_l' THEN found.entropy_l
    WHEN 'alpha' THEN found.alpha
    WHEN 't_equal' THEN found.t_equal
    ELSE found.t_ordered
  END AS value,
  CAST(NULL AS DOUBLE) AS lower, CAST(NULL AS DOUBLE) AS upper
FROM classes AS found
CROSS JOIN class_words

UNION ALL

SELECT
  'reidentification' AS section, 2900 + found.number AS position, 'reidentification' AS metric, found.side AS variant, risk_words.*,
  CASE risk_words.statistic
    WHEN 'unique_share' THEN found.unique_share
    WHEN 'prosecutor_mean' THEN found.prosecutor_mean
    ELSE found.prosecutor_share
  END AS value,
  CAST(NULL AS DOUBLE) AS lower, CAST(NULL AS DOUBLE) AS upper
FROM risks AS found
CROSS JOIN risk_words
