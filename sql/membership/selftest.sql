/*
summary = "Does the attack detect leaks, and only leaks? Runs exposure on a table with planted copies of train, and on one without."
source = "Self-test: a measure that misses planted copies, or finds copies that were not planted, proves nothing about other tables."
options = ["attack.near", "attack.width", "attack.combinations", "attack.folds", "distance", "unit", "seed"]
reads.units = ["train", "holdout"]
order = ["position"]
example = { train = "train", holdout = "holdout", exclude = ["id"], planted = 0.5 }
tables = ["train", "holdout"]

[parameters]
train = { doc = "the real rows that the synthesizer saw, of which copies are planted" }
holdout = { doc = "real rows that it never saw: one half serves as a synthetic table without a leak, the other as non-members" }
attack = { type = "text", default = "agreement", choices = ["distance", "ratio", "density", "agreement", "agreement_near", "uniques", "learned"], doc = "as in exposure" }
planted = { type = "number", default = 0.05, above = 0, below = 1, doc = "the share of train that is planted" }
false_discovery = { type = "number", default = 0.05, above = 0, below = 1, doc = "as in exposure" }
k = { type = "integer", default = 1, minimum = 1, doc = "as in exposure" }

[columns]
test = "VARCHAR: planted (copies of train); swapped (train and holdout exchanged); fresh (nothing planted)"
members = "BIGINT, number of members tested: records or, with unit, persons"
planted = "BIGINT, members whose copies are planted"
exposed = "BIGINT, members identified by the attack"
found = "BIGINT, members both identified and planted"
found_share = "DOUBLE, found / planted: the share of the leak that is detected"
false_share = "DOUBLE, the share of identified members who are not planted; on average over seeds at most false_discovery"
at_least = "BIGINT, members who at least are at the top of the list beyond what chance explains, as in membership"
passed = "BOOLEAN: for planted, whether more than half of the copies are found; for swapped and fresh, whether at most a share false_discovery of the members is identified"
*/
-- The rows of a person stay together, in the halves and in the leaking table.
WITH lots AS (
  SELECT record, first_record, drawn(first_record, $seed) AS lot
  FROM first_records(holdout)
),
halves AS (
  SELECT record, dense_rank() OVER (ORDER BY lot, first_record) AS place, persons.all_of_them
  FROM lots
  CROSS JOIN (SELECT count(DISTINCT first_record) AS all_of_them FROM lots) AS persons
),
fresh AS (
  SELECT row_number() OVER (ORDER BY halves.record) - 1 AS record, each(compared, this_column)
  FROM halves
  JOIN owned(holdout) AS owned ON owned.record = halves.record
  WHERE 2 * place <= all_of_them
),
unseen AS (
  SELECT row_number() OVER (ORDER BY halves.record) - 1 AS record, each(compared, this_column), each(unit, this_column)
  FROM halves
  JOIN owned(holdout) AS owned ON owned.record = halves.record
  WHERE 2 * place > all_of_them
),
members AS (
  SELECT record, each(compared, this_column), each(unit, this_column)
  FROM owned(train)
),
chosen AS (
  SELECT members.record, each(compared, this_column)
  FROM members
  JOIN first_records(train) AS firsts ON firsts.record = members.record
  WHERE drawn(firsts.first_record, $seed + 1) < $planted * 2147483647
),
leaky AS (
  SELECT record, each(compared, this_column)
  FROM fresh

  UNION ALL

  SELECT
    (SELECT count(*) FROM fresh) + row_number() OVER (ORDER BY record) - 1 AS record,
    each(compared, this_column)
  FROM chosen
),
found AS (
  SELECT
    'planted' AS test, 1 AS position, exposures.record, exposures.q_value, chosen.record IS NOT NULL AS is_planted
  FROM exposures(
    synthetic := leaky, train := members, holdout := unseen, attack := $attack, k := $k
  ) AS exposures
  LEFT JOIN chosen ON chosen.record = exposures.record

  UNION ALL

  SELECT
    'swapped' AS test, 2 AS position, record, q_value, false AS is_planted
  FROM exposures(
    synthetic := leaky, train := unseen, holdout := members, attack := $attack, k := $k
  )

  UNION ALL

  SELECT
    'fresh' AS test, 3 AS position, record, q_value, false AS is_planted
  FROM exposures(
    synthetic := fresh, train := members, holdout := unseen, attack := $attack, k := $k
  )
),
tops AS (
  SELECT 'planted' AS test, found.at_least
  FROM tops(roc := roc(scores := attack_scores(
    synthetic := leaky, train := members, holdout := unseen, attack := [$attack], k := $k
  ))) AS found

  UNION ALL

  SELECT 'swapped' AS test, found.at_least
  FROM tops(roc := roc(scores := attack_scores(
    synthetic := leaky, train := unseen, holdout := members, attack := [$attack], k := $k
  ))) AS found

  UNION ALL

  SELECT 'fresh' AS test, found.at_least
  FROM tops(roc := roc(scores := attack_scores(
    synthetic := fresh, train := members, holdout := unseen, attack := [$attack], k := $k
  ))) AS found
),
totals AS (
  SELECT test, CAST(sum(at_least) AS BIGINT) AS at_least
  FROM tops
  GROUP BY test
),
counted AS (
  SELECT
    found.test,
    found.position,
    max(totals.at_least) AS at_least,
    count(*) AS members,
    count(CASE WHEN found.is_planted THEN 1 END) AS planted,
    count(CASE WHEN found.q_value <= $false_discovery THEN 1 END) AS exposed,
    count(CASE WHEN found.is_planted AND found.q_value <= $false_discovery THEN 1 END) AS found
  FROM found
  LEFT JOIN totals ON totals.test = found.test
  GROUP BY found.test, found.position
)
SELECT
  position,
  test,
  members,
  planted,
  exposed,
  found,
  CAST(found AS DOUBLE) / nullif(planted, 0) AS found_share,
  CAST(exposed - found AS DOUBLE) / nullif(exposed, 0) AS false_share,
  at_least,
  CAST(
    CASE test
      WHEN 'planted' THEN 2 * found > planted
      ELSE exposed <= $false_discovery * members
    END AS BOOLEAN
  ) AS passed
FROM counted
