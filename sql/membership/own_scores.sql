/*
summary = "The scores of one of the user's own attacks, one for each real record; an error if they are incomplete or invalid."
part = true
run.materialized = true

[parameters]
scores = { type = "relation", doc = "scores of the user's own attacks" }
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
holdout = { type = "relation", optional = true, doc = "real rows that it never saw" }
attack = { type = "text", default = "own", doc = "the name of the attack" }
*/
-- The columns of scores determine how records are identified: by side and record, by record alone (train followed by
-- the holdout), or by the key. A record has one score for each row that identifies it.
WITH own AS (
  SELECT
    each(score_side, CAST(own_value(this_column) AS VARCHAR)) AS side,
    each(score_record, CAST(own_value(this_column) AS BIGINT)) AS record,
    each(score_key, CAST(own_value(this_column) AS VARCHAR)) AS key,
    each(score_value, CAST(own_value(this_column) AS DOUBLE)) AS score
  FROM scores
  WHERE each(score_attack, CAST(own_value(this_column) AS VARCHAR)) = $attack
),
people AS (
  SELECT 'train' AS side, record
  FROM encoded(train)

  UNION ALL

  SELECT 'holdout' AS side, record
  FROM encoded(holdout)
  WHERE $holdout IS NOT NULL
),
keyed AS (
  SELECT 'train' AS side, record, CAST(key AS VARCHAR) AS key
  FROM keys(train)
  WHERE $scores_by = 'key'

  UNION ALL

  SELECT 'holdout' AS side, record, CAST(key AS VARCHAR) AS key
  FROM keys(holdout)
  WHERE $scores_by = 'key' AND $holdout IS NOT NULL
),
sizes AS (
  SELECT count(*) AS members
  FROM encoded(train)
),
placed AS (
  SELECT side, record, score
  FROM own
  WHERE $scores_by = 'side'

  UNION ALL

  SELECT
    CASE WHEN own.record < sizes.members THEN 'train' ELSE 'holdout' END AS side,
    CASE WHEN own.record < sizes.members THEN own.record ELSE own.record - sizes.members END AS record,
    own.score
  FROM own
  CROSS JOIN sizes
  WHERE $scores_by = 'record'

  UNION ALL

  SELECT keyed.side, keyed.record, own.score
  FROM own
  LEFT JOIN keyed ON keyed.key = own.key
  WHERE $scores_by = 'key'
),
matched AS (
  SELECT
    people.side,
    people.record,
    count(placed.record) AS named,
    max(placed.score) AS score
  FROM people
  LEFT JOIN placed ON placed.side = people.side AND placed.record = people.record
  GROUP BY people.side, people.record
),
counts AS (
  SELECT
    (SELECT count(*) FROM own WHERE score IS NULL OR NOT isfinite(score)) AS no_numbers,
    (SELECT count(*) FROM placed) - sum(named) AS strangers,
    count(CASE WHEN named > 1 THEN 1 END) AS repeated,
    min(CASE WHEN named > 1 THEN record END) AS first_repeated,
    count(CASE WHEN named = 0 THEN 1 END) AS missing,
    min(CASE WHEN named = 0 THEN record END) AS first_missing,
    count(*) AS people
  FROM matched
),
problems AS (
  SELECT
    CASE
      WHEN no_numbers > 0 THEN
        'OptionError: ' || no_numbers || ' of the scores of attack "' || $attack || '" in ' || label(scores)
        || ' are missing, NaN or infinite; give a finite number for each record'
      WHEN strangers > 0 THEN
        'OptionError: ' || strangers || ' of the scores of attack "' || $attack || '" in ' || label(scores)
        || ' are of no record of ' || label(train) || ' or of the holdout: ' || $scores_say
      WHEN repeated > 0 THEN
        'OptionError: ' || repeated || ' records have more than one score of attack "' || $attack || '" in '
        || label(scores) || ', such as record ' || first_repeated || '; give one for each (' || $scores_say || ')'
      WHEN missing > 0 THEN
        'OptionError: ' || missing || ' of ' || people || ' records of ' || label(train)
        || ' and the holdout have no score of attack "' || $attack || '" in ' || label(scores) || ', such as record '
        || first_missing || '; give one for each (' || $scores_say || ')'
    END AS message
  FROM counts
)
SELECT side, record, score
FROM matched
WHERE (SELECT none_lacks(message) AS is_complete FROM problems)
