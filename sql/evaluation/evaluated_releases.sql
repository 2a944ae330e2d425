/*
summary = "Section releases of evaluate: whom synthetic gives away alone, whom all releases before it did, and whom all together do."
part = true
options = ["internal.released", "internal.told_of"]
tables = ["synthetic", "train", "holdout"]

[parameters]
attack = { type = "names", default = ["distance", "density", "agreement", "agreement_near", "uniques", "learned"], doc = "as in evaluate" }
named_by = { type = "names", default = ["uniques", "learned"], doc = "as in evaluate" }
false_discovery = { type = "number", default = 0.05, doc = "as in exposure" }
scores = { type = "relation", optional = true, columns = ["score"], doc = "scores of the user's own attacks" }

[numbers]
"releases and holdout" = [
  "releases.{tables,new,people}",
  "releases.{alone,before,union,*}.{exposed,at_least}",
  "releases.{attack}.{auc,p_value,top_p_value,at_least}",
]
*/
-- The numbers from 1 are the first so many releases before synthetic. What some of the releases tell, all of them do:
-- named_releases takes the set that names most. That of at_least is one of alone, before and union, which share the 5 %
-- of it (tops), so that the largest can be taken.
WITH named AS (
  SELECT released, first_record, q_value <= $false_discovery AS exposed
  FROM named_releases(
    synthetic := synthetic, train := train, holdout := holdout, attack := $named_by, scores := scores, false_discovery := $false_discovery
  )
),
told AS (
  SELECT this_value AS released
  FROM each_value($told_of)
),
exposed AS (
  SELECT named.released, count(CASE WHEN named.exposed THEN 1 END) AS records
  FROM named
  JOIN told ON told.released = named.released
  GROUP BY named.released
),
new AS (
  SELECT count(*) AS records
  FROM named
  LEFT JOIN named AS earlier
    ON earlier.released = 'before' AND earlier.exposed AND earlier.first_record = named.first_record
  WHERE named.released = 'union' AND named.exposed AND earlier.first_record IS NULL
),
tops AS (
  SELECT this_value AS released, found.attack, found.at_least, found.top_p_value
  FROM each_value($told_of)
  CROSS JOIN top_statistics(roc := roc(scores := attack_scores(
    synthetic := synthetic, train := train, holdout := holdout, attack := $attack, scores := scores, released := this_value
  ))) AS found
),
surest AS (
  SELECT released, max(at_least) AS at_least
  FROM (
    SELECT released, at_least FROM tops
    UNION ALL
    SELECT 'union' AS released, at_least FROM tops WHERE released = 'alone' OR released = 'before'
  ) AS found
  GROUP BY released
),
areas AS (
  SELECT attack, auc, auc_lower, auc_upper, p_value
  FROM attack_statistics(roc := roc(scores := attack_scores(
    synthetic := synthetic, train := train, holdout := holdout, attack := $attack, scores := scores, released := 'union'
  )))
),
tables AS (
  SELECT this_place_of AS place
  FROM each_release
),
sizes AS (
  SELECT units.train_units AS members
  FROM split_units(train := train, holdout := holdout) AS units
),
found AS (
  SELECT CAST(NULL AS VARCHAR) AS variant, 0 AS block, 'tables' AS statistic, 1 AS place, CAST(NULL AS VARCHAR) AS better,
    'The number of releases, synthetic included.' AS meaning, CAST(count(*) AS DOUBLE) AS value,
    CAST(NULL AS DOUBLE) AS lower, CAST(NULL AS DOUBLE) AS upper
  FROM tables

  UNION ALL

  SELECT NULL, 0, 'new', 2, 'lower',
    'People of train who can be identified as members by all releases together, but not by those before synthetic.',
    CAST(records AS DOUBLE), NULL, NULL
  FROM new

  UNION ALL

  SELECT NULL, 0, 'people', 3, NULL, 'How many there are in train: records, or persons where a unit is named.', CAST(members AS DOUBLE),
    NULL, NULL
  FROM sizes

  UNION ALL

  SELECT released, 1, 'exposed', 4, 'lower',
    CASE released
      WHEN 'alone' THEN 'People of train who can be identified as members by synthetic alone.'
      WHEN 'before' THEN 'The same by all releases before synthetic.'
      WHEN 'union' THEN 'The same by all releases together.'
      ELSE 'The same by the first ' || released || ' of the releases before synthetic.'
    END,
    CAST(records AS DOUBLE), NULL, NULL
  FROM exposed

  UNION ALL

  SELECT released, 1, 'at_least', 5, 'lower',
    CASE released
      WHEN 'alone' THEN 'At least so many people of train are given away by synthetic alone, at the top of the list of some attack (95 %, for all attacks, and for this table alone, those before and all together).'
      WHEN 'before' THEN 'The same by all releases before synthetic.'
      WHEN 'union' THEN 'The same by all releases together.'
      ELSE 'The same by the first ' || released || ' of the releases before synthetic.'
    END,
    CAST(at_least AS DOUBLE), NULL, NULL
  FROM surest

  UNION ALL

  SELECT areas.attack, 2, 'auc', 6, 'lower',
    'The chance that the attack, with all releases, gives somebody of train a higher score than somebody of the holdout; 0.5 where nothing is learned.',
    areas.auc, areas.auc_lower, areas.auc_upper
  FROM areas

  UNION ALL

  SELECT areas.attack, 2, 'p_value', 7, 'higher',
    'The probability of a value at least this large if nothing leaks; a small one is evidence of a leak.', areas.p_value, NULL, NULL
  FROM areas

  UNION ALL

  SELECT attack, 2, 'top_p_value', 8, 'higher',
    'The probability of so many people of train among the first 8 to 512 of the list if nothing leaks; a small one is evidence that a few are given away.',
    top_p_value, NULL, NULL
  FROM tops
  WHERE released = 'union'

  UNION ALL

  SELECT attack, 2, 'at_least', 9, 'lower',
    'At least so many people of train are given away at the top of the list of this attack: chance does not explain them (95 %, for all attacks, sets of releases and lengths of the list).',
    CAST(at_least AS DOUBLE), NULL, NULL
  FROM tops
  WHERE released = 'union'
)
SELECT
  'releases' AS section, 15 + block AS position, 'releases' AS metric, variant, statistic, place, better, meaning, value, lower, upper
FROM found
