/*
summary = "Which columns together give people away: for each set of columns, how many people have a combination of values that nobody else has, and that synthetic has, too."
source = "Of the people whose combination comes back, as many are of train as chance puts there: hypergeometric over all people, Holm over sets."
options = ["attack.width", "attack.combinations", "distance.columns", "distance.exclude", "distance.numeric", "distance.categorical", "distance.weights", "distance.key", "unit.unit", "unit.shared_units", "sequence", "release"]
reads.compares = true
reads.units = ["train", "holdout"]
order = ["place"]
example = { synthetic = "synthetic", train = "train", holdout = "holdout", key = "id", width = 2 }
tables = ["synthetic", "train", "holdout?"]

[columns]
columns = "VARCHAR[], the set of columns; first the set that tells train from the holdout best; sets in which nobody's combination comes back have no rows, nor have sets of several columns with one that has one value in train and the holdout: they say no more than the others"
width = "BIGINT, the number of these columns"
train = "BIGINT, people of train (records, or persons with unit)"
replayed = "BIGINT, those of them with a combination of these values that no other real person has, and that a synthetic record has"
holdout = "BIGINT, people of the holdout"
holdout_replayed = "BIGINT, those of them with such a combination: they come back by chance"
excess = "DOUBLE, the share of train's that come back, less the share of the holdout's"
p_value = "DOUBLE, one-sided: the probability that at least so many of the people whose combinations come back are of train (hypergeometric); NULL without a holdout"
p_adjusted = "DOUBLE, the same, adjusted for the number of sets (Holm)"
*/
WITH found AS (
  SELECT place, columns, width, members, others
  FROM replicated_sets(synthetic := synthetic, train := train, holdout := holdout)
),
people AS (
  SELECT
    CAST(count(DISTINCT CASE WHEN side = 'train' THEN person END) AS BIGINT) AS members,
    CAST(count(DISTINCT CASE WHEN side = 'holdout' THEN person END) AS BIGINT) AS others
  FROM real_persons(train := train, holdout := holdout)
),
-- Sets with the same counts are one test.
tests AS (
  SELECT
    row_number() OVER (ORDER BY counted.members, counted.others) AS test,
    people.members + people.others AS population,
    counted.members + counted.others AS successes,
    people.members AS draws,
    counted.members AS observed,
    counted.others
  FROM (SELECT DISTINCT members, others FROM found) AS counted
  CROSS JOIN people
  WHERE $holdout IS NOT NULL
),
judged AS (
  SELECT
    found.place,
    found.columns,
    found.width,
    found.members,
    found.others,
    tails.tail,
    row_number() OVER (ORDER BY coalesce(tails.tail, 1.0), found.members DESC, found.others, found.place) AS worst,
    count(*) OVER () AS sets
  FROM found
  LEFT JOIN tests ON tests.observed = found.members AND tests.others = found.others
  LEFT JOIN hypergeometric(tests := tests) AS tails ON tails.test = tests.test
)
SELECT
  judged.worst AS place,
  judged.columns,
  judged.width,
  people.members AS train,
  CAST(judged.members AS BIGINT) AS replayed,
  CASE WHEN $holdout IS NOT NULL THEN people.others END AS holdout,
  CAST(CASE WHEN $holdout IS NOT NULL THEN judged.others END AS BIGINT) AS holdout_replayed,
  CASE
    WHEN $holdout IS NOT NULL THEN
      CAST(judged.members AS DOUBLE) / nullif(people.members, 0) - CAST(judged.others AS DOUBLE) / nullif(people.others, 0)
  END AS excess,
  CAST(judged.tail AS DOUBLE) AS p_value,
  CAST(CASE
    WHEN $holdout IS NOT NULL THEN least(
      max(judged.tail * (judged.sets - judged.worst + 1))
        OVER (ORDER BY judged.worst ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW),
      1.0
    )
  END AS DOUBLE) AS p_adjusted
FROM judged
CROSS JOIN people
WHERE (SELECT is_enough FROM enough_of_all(synthetic := synthetic, train := train))
