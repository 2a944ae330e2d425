/*
summary = "What exposes each record of train under one attack, in the release that does so most; uniques are those of all releases."
options = ["internal.released"]
part = true
tables = ["synthetic", "train", "holdout?"]

[parameters]
attack = { type = "text", default = "agreement", doc = "as in exposure" }
*/
SELECT record, own_bits, agreeing
FROM exposing_columns(synthetic := synthetic, train := train, holdout := holdout, attack := $attack)
WHERE $released IS NULL OR NOT ($attack = 'agreement' OR $attack = 'agreement_near')

UNION ALL

SELECT record, own_bits, agreeing
FROM (
  SELECT
    each_table.record,
    each_table.own_bits,
    each_table.agreeing,
    row_number() OVER (PARTITION BY each_table.record ORDER BY each_table.score DESC, each_table.place) AS best
  FROM (
    SELECT this_place_of AS place, found.record, found.score, found.own_bits, found.agreeing
    FROM each_release
    CROSS JOIN exposing_columns(
      synthetic := this_release, train := train, holdout := holdout, attack := $attack, released := NULL
    ) AS found
  ) AS each_table
) AS placed
WHERE best = 1 AND $released IS NOT NULL AND ($attack = 'agreement' OR $attack = 'agreement_near')
