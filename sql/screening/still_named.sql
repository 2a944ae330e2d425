/*
summary = "One row: how many people of train synthetic exposes, with releases alone or together with those before, beside the people whom those before expose; and how many these are."
options = ["attack.near", "attack.width", "attack.combinations", "attack.folds", "distance", "unit", "seed", "types", "release"]
part = true
reads.units = ["train", "holdout"]
run.sets = { released = "alone", released_of = ["alone", "before", "union"] }
tables = ["synthetic", "train", "holdout"]

[parameters]
false_discovery = { type = "number", default = 0.05, doc = "as in exposure" }
attack = { type = "names", default = ["agreement"], choices = ["all", "distance", "ratio", "density", "agreement", "agreement_near", "uniques", "learned"], doc = "as in exposure" }
k = { type = "integer", default = 1, doc = "as in exposure" }

[columns]
exposed = "BIGINT, people exposed whom the releases before do not expose"
before = "BIGINT, people whom these expose; NULL without releases"
*/
WITH before AS (
  SELECT first_record
  FROM named(synthetic := synthetic, train := train, holdout := holdout, attack := $attack, k := $k, released := 'before')
  WHERE q_value <= $false_discovery AND $releases IS NOT NULL

  UNION ALL

  SELECT CAST(NULL AS BIGINT) AS first_record
  WHERE $releases IS NULL
),
found AS (
  SELECT first_record
  FROM named(synthetic := synthetic, train := train, holdout := holdout, attack := $attack, k := $k, released := 'alone')
  WHERE q_value <= $false_discovery

  UNION

  SELECT first_record
  FROM named(synthetic := synthetic, train := train, holdout := holdout, attack := $attack, k := $k, released := 'union')
  WHERE q_value <= $false_discovery AND $releases IS NOT NULL
)
SELECT
  (
    SELECT count(found.first_record)
    FROM found
    LEFT JOIN before ON before.first_record = found.first_record
    WHERE before.first_record IS NULL
  ) AS exposed,
  CASE WHEN $releases IS NOT NULL THEN (SELECT count(first_record) FROM before) END AS before
