/*
summary = "The people of train whom synthetic gives away at the top of a list beside the releases before it, and whom those alone do not."
part = true
tables = ["synthetic", "train", "holdout"]

[parameters]
attack = { type = "names", default = ["agreement"], doc = "attacks whose lists count" }
k = { type = "integer", default = 1, doc = "as in exposure" }
least = { type = "integer", default = 5, doc = "fewer people given away by an attack do not count, nor so few more than before" }
*/
WITH before AS (
  SELECT attack, first_record, of_attack
  FROM listed(synthetic := synthetic, train := train, holdout := holdout, attack := $attack, k := $k, released := 'before')
),
known AS (
  SELECT DISTINCT first_record
  FROM before
),
sizes AS (
  SELECT attack, max(of_attack) AS given_away
  FROM before
  GROUP BY attack
),
found AS (
  SELECT attack, first_record
  FROM listed(
    synthetic := synthetic, train := train, holdout := holdout, attack := $attack, k := $k, least := $least,
    released := 'alone'
  )

  UNION

  SELECT united.attack, united.first_record
  FROM listed(
    synthetic := synthetic, train := train, holdout := holdout, attack := $attack, k := $k, least := $least,
    released := 'union'
  ) AS united
  LEFT JOIN sizes ON sizes.attack = united.attack
  WHERE united.of_attack - coalesce(sizes.given_away, 0) >= $least
)
SELECT added.synthetic
FROM found
JOIN added(synthetic := synthetic, train := train, holdout := holdout, attack := $attack, k := $k) AS added
  ON added.attack = found.attack AND added.first_record = found.first_record
LEFT JOIN known ON known.first_record = found.first_record
WHERE known.first_record IS NULL
