/*
summary = "The people of train whom synthetic exposes beside the releases before it: alone, or together with them, and who are not exposed by those alone."
part = true
tables = ["synthetic", "train", "holdout"]

[parameters]
false_discovery = { type = "number", default = 0.05, doc = "as in exposure" }
attack = { type = "names", default = ["agreement"], doc = "as in exposure" }
k = { type = "integer", default = 1, doc = "as in exposure" }

[columns]
first_record = "BIGINT, the person's first record in train"
record = "BIGINT, the record of train that shows most"
attack = "VARCHAR"
synthetic = "BIGINT, the record of synthetic to blame: about nobody whom an earlier release shows as clearly"
together = "BOOLEAN, whether the person is exposed together with the releases before only"
*/
WITH before AS (
  SELECT first_record
  FROM named(synthetic := synthetic, train := train, holdout := holdout, attack := $attack, k := $k, released := 'before')
  WHERE q_value <= $false_discovery
),
alone AS (
  SELECT first_record, attack
  FROM named(synthetic := synthetic, train := train, holdout := holdout, attack := $attack, k := $k, released := 'alone')
  WHERE q_value <= $false_discovery
),
united AS (
  SELECT named.first_record, named.attack
  FROM named(
    synthetic := synthetic, train := train, holdout := holdout, attack := $attack, k := $k, released := 'union'
  ) AS named
  LEFT JOIN alone ON alone.first_record = named.first_record
  WHERE named.q_value <= $false_discovery AND alone.first_record IS NULL
),
found AS (
  SELECT first_record, attack, false AS together
  FROM alone

  UNION ALL

  SELECT first_record, attack, true AS together
  FROM united
)
SELECT found.first_record, added.record, found.attack, added.synthetic, found.together
FROM found
JOIN added(synthetic := synthetic, train := train, holdout := holdout, attack := $attack, k := $k) AS added
  ON added.attack = found.attack AND added.first_record = found.first_record
LEFT JOIN before ON before.first_record = found.first_record
WHERE before.first_record IS NULL
