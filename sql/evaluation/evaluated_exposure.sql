/*
summary = "Section exposure of evaluate: how many people of train can be identified as members or, without a holdout, how many should be examined."
part = true
tables = ["synthetic", "train", "holdout?"]

[parameters]
attack = { type = "names", default = ["distance", "density", "agreement", "agreement_near", "uniques", "learned"], doc = "as in evaluate" }
named_by = { type = "names", default = ["uniques", "learned"], doc = "as in evaluate" }
false_discovery = { type = "number", default = 0.05, doc = "as in exposure" }
scores = { type = "relation", optional = true, columns = ["score"], doc = "scores of the user's own attacks" }

[numbers]
holdout = ["exposure.{exposed,share,by_chance,people,least,at_least,listed,missed}", "exposure.{named_by}.exposed"]
"no holdout" = ["exposure.beyond"]
*/
WITH people AS (
  SELECT attack, q_value <= $false_discovery AS exposed
  FROM named(synthetic := synthetic, train := train, holdout := holdout, attack := $named_by, scores := scores)
  WHERE $holdout IS NOT NULL
),
requested AS (
  SELECT this_value AS attack
  FROM each_value($named_by)
),
-- An attack that was left out identifies nobody, and gives no rows.
answering AS (
  SELECT this_value AS attack, count(*) AS people
  FROM each_value($named_by)
  CROSS JOIN exposures(synthetic := synthetic, train := train, holdout := holdout, attack := this_value, k := 1, scores := scores) AS scored
  WHERE $holdout IS NOT NULL
  GROUP BY this_value
),
sizes AS (
  SELECT units.train_units AS members, units.holdout_units AS others, requested.attacks
  FROM split_units(train := train, holdout := holdout) AS units
  CROSS JOIN (SELECT count(*) AS attacks FROM requested) AS requested
  WHERE $holdout IS NOT NULL
),
-- All attacks speak here: sharing the level costs each a logarithm only.
spoken AS (
  SELECT
    at_least,
    listed,
    max(least_noticed) OVER () AS missed,
    row_number() OVER (ORDER BY at_least DESC, listed, attack) AS place
  FROM top_statistics(roc := roc(scores := attack_scores(
    synthetic := synthetic, train := train, holdout := holdout, attack := $attack, scores := scores
  )))
  WHERE $holdout IS NOT NULL
),
found AS (
  SELECT
    CAST(NULL AS VARCHAR) AS attack,
    max(sizes.members) AS n,
    count(CASE WHEN people.exposed THEN 1 END) AS records,
    ceil(max(sizes.members / ((sizes.others + 1) * $false_discovery / sizes.attacks))) AS least,
    CAST(NULL AS BIGINT) AS beyond,
    max(spoken.at_least) AS at_least,
    max(spoken.listed) AS listed,
    max(spoken.missed) AS missed
  FROM sizes
  LEFT JOIN spoken ON spoken.place = 1
  LEFT JOIN people ON true
  WHERE $holdout IS NOT NULL

  UNION ALL

  SELECT
    requested.attack,
    CAST(NULL AS DOUBLE) AS n,
    CASE WHEN max(answering.people) > 0 THEN count(CASE WHEN people.exposed THEN 1 END) END AS records,
    CAST(NULL AS DOUBLE) AS least,
    CAST(NULL AS BIGINT) AS beyond,
    CAST(NULL AS BIGINT) AS at_least,
    CAST(NULL AS BIGINT) AS listed,
    CAST(NULL AS BIGINT) AS missed
  FROM requested
  LEFT JOIN answering ON answering.attack = requested.attack
  LEFT JOIN people ON people.attack = requested.attack
  WHERE $holdout IS NOT NULL
  GROUP BY requested.attack

  UNION ALL

  SELECT
    CAST(NULL AS VARCHAR) AS attack,
    CAST(NULL AS DOUBLE) AS n,
    CAST(NULL AS BIGINT) AS records,
    CAST(NULL AS DOUBLE) AS least,
    count(*) FILTER (WHERE agreed.score > log2(sizes.records)) AS beyond,
    CAST(NULL AS BIGINT) AS at_least,
    CAST(NULL AS BIGINT) AS listed,
    CAST(NULL AS BIGINT) AS missed
  FROM agreement(synthetic := synthetic, train := train, holdout := holdout, near := 0.0) AS agreed
  CROSS JOIN (SELECT count(*) AS records FROM encoded(synthetic)) AS sizes
  WHERE $holdout IS NULL
),
words AS (
  SELECT 'exposed' AS statistic, 1 AS place, 'lower' AS better,
    'People of train who can be identified as members of the training data: too few others have scores as high.' AS meaning
  UNION ALL SELECT 'share', 2, 'lower', 'Their share of all people of train.'
  UNION ALL SELECT 'by_chance', 3, NULL, 'At most this many of those named are expected to be false.'
  UNION ALL SELECT 'at_least', 6, 'lower',
    'At least so many people of train are given away at the top of the list of some attack: chance does not explain them (95 %, for all attacks together).'
  UNION ALL SELECT 'listed', 7, NULL, 'How many people of train the top of that list has, among them those given away.'
  UNION ALL SELECT 'missed', 8, NULL,
    'So many people of train before all others of a list would have been noticed: a leak that puts fewer there would have been missed.'
  UNION ALL SELECT 'people', 4, NULL, 'How many there are in train: records, or persons where a unit is named.'
  UNION ALL SELECT 'least', 5, NULL,
    'The fewest who could have been named together: a leak that concerns fewer of them would have been missed.'
  -- With independent columns, fewer than one synthetic record would agree in that many bits by chance.
  UNION ALL SELECT 'beyond', 9, NULL,
    'Train records with which a synthetic record agrees in more bits than the logarithm of the number of synthetic records: a screen without guarantee, for want of a holdout.'
)
SELECT
  'exposure' AS section, CASE WHEN found.attack IS NULL THEN 10 ELSE 11 END AS position,
  'exposure' AS metric, found.attack AS variant, words.statistic,
  words.place, words.better,
  CASE WHEN found.attack IS NULL THEN words.meaning ELSE 'Those of them whom ' || found.attack || ' names most easily.' END AS meaning,
  CASE words.statistic
    WHEN 'exposed' THEN CAST(found.records AS DOUBLE)
    WHEN 'share' THEN CAST(found.records AS DOUBLE) / nullif(found.n, 0)
    WHEN 'by_chance' THEN $false_discovery * found.records
    WHEN 'people' THEN found.n
    WHEN 'least' THEN found.least
    WHEN 'at_least' THEN CAST(found.at_least AS DOUBLE)
    WHEN 'listed' THEN CAST(found.listed AS DOUBLE)
    WHEN 'missed' THEN CAST(found.missed AS DOUBLE)
    ELSE CAST(found.beyond AS DOUBLE)
  END AS value,
  CAST(NULL AS DOUBLE) AS lower, CAST(NULL AS DOUBLE) AS upper
FROM found
JOIN words ON (words.statistic = 'beyond') = ($holdout IS NULL) AND (found.attack IS NULL OR words.statistic = 'exposed')
