/*
summary = "Does the attack detect leaks, and only leaks? Runs exposure on a table with planted copies of train, and on one without."
source = "Self-test: a measure that misses planted copies, or finds copies that were not planted, proves nothing about other tables."
options = ["attack.near", "attack.width", "attack.combinations", "attack.folds", "distance", "unit", "seed"]
units = ["train", "holdout"]
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
    'planted' AS test, 1 AS position, exposures.record, exposures.q_value, chosen.record IS NOT NULL AS is_planted,
    exposures.fold, exposures.members_above, exposures.non_members_above, exposures.all_members,
    exposures.all_non_members
  FROM exposures(
    synthetic := leaky, train := members, holdout := unseen, attack := $attack, k := $k
  ) AS exposures
  LEFT JOIN chosen ON chosen.record = exposures.record

  UNION ALL

  SELECT
    'swapped' AS test, 2 AS position, record, q_value, false AS is_planted, fold, members_above, non_members_above,
    all_members, all_non_members
  FROM exposures(
    synthetic := leaky, train := unseen, holdout := members, attack := $attack, k := $k
  )

  UNION ALL

  SELECT
    'fresh' AS test, 3 AS position, record, q_value, false AS is_planted, fold, members_above, non_members_above,
    all_members, all_non_members
  FROM exposures(
    synthetic := fresh, train := members, holdout := unseen, attack := $attack, k := $k
  )
),
folded AS (
  SELECT *, max(fold) OVER (PARTITION BY test) + 1 AS folds
  FROM found
),
-- Down to a member's score are the most beyond chance.
counted_in_folds AS (
  SELECT
    test,
    position,
    count(*) AS members,
    count(CASE WHEN is_planted THEN 1 END) AS planted,
    count(CASE WHEN q_value <= $false_discovery THEN 1 END) AS exposed,
    count(CASE WHEN is_planted AND q_value <= $false_discovery THEN 1 END) AS found,
    max(floor(members_above - (1 + non_members_above) * by_chance(
      CAST(all_members AS DOUBLE), CAST(all_non_members AS DOUBLE), CAST(folds AS DOUBLE)
    ))) AS beyond
  FROM folded
  GROUP BY test, position, fold
),
counted AS (
  SELECT
    test,
    position,
    CAST(sum(members) AS BIGINT) AS members,
    CAST(sum(planted) AS BIGINT) AS planted,
    CAST(sum(exposed) AS BIGINT) AS exposed,
    CAST(sum(found) AS BIGINT) AS found,
    CAST(sum(CASE WHEN beyond > 0 THEN beyond ELSE 0 END) AS BIGINT) AS at_least
  FROM counted_in_folds
  GROUP BY test, position
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
