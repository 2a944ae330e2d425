/*
summary = "How many people of train there are in each group by a column, and how many of them are named, and listed."
part = true
few = true
tables = ["synthetic", "train", "holdout"]

[parameters]
reference = { type = "relation", optional = true, doc = "further real rows, for the attack calibrated" }
scores = { type = "relation", optional = true, columns = ["score"], doc = "scores of the user's own attacks" }
attack = { type = "names", default = ["agreement"], doc = "as in exposure" }
false_discovery = { type = "number", default = 0.05, doc = "as in exposure" }
k = { type = "integer", default = 1, doc = "as in membership" }
isolation = { type = "boolean", default = true, doc = "also group people by the distance to their neighbors" }
always = { type = "boolean", default = true, doc = "also where nobody is named" }
*/
WITH everybody AS (
  SELECT
    named.first_record,
    CASE WHEN named.q_value <= $false_discovery THEN 1 ELSE 0 END AS named,
    CASE WHEN sure.first_record IS NOT NULL THEN 1 ELSE 0 END AS listed
  FROM named(
    synthetic := synthetic, train := train, holdout := holdout, reference := reference, scores := scores, attack := $attack, k := $k
  ) AS named
  LEFT JOIN sure(
    synthetic := synthetic, train := train, holdout := holdout, reference := reference, scores := scores, attack := $attack, k := $k
  ) AS sure
    ON sure.first_record = named.first_record
),
people AS (
  SELECT everybody.first_record, everybody.named, everybody.listed
  FROM everybody
  CROSS JOIN (SELECT sum(named) AS named FROM everybody) AS counted
  WHERE $always OR counted.named > 0
),
-- A person's groups are those of its first record.
given AS (
  SELECT people.named, people.listed, each(common, known.this_column)
  FROM common_originals(train) AS known
  JOIN people ON people.first_record = known.record
),
categories AS (
  SELECT this_name AS column_name, CAST(this_column AS VARCHAR) AS value, named, listed
  FROM each_column(common_categorical, given)
),
by_category AS (
  SELECT
    column_name, value, count(*) AS people, sum(named) AS named, sum(listed) AS listed,
    row_number() OVER (PARTITION BY column_name ORDER BY count(*) DESC, value) AS place
  FROM categories
  GROUP BY column_name, value
),
-- Equal values are in the same fifth: that of the first of them.
numbers AS (
  SELECT
    this_name AS column_name, CAST(this_column AS DOUBLE) AS number, named, listed,
    5 * (rank() OVER (ORDER BY this_column) - 1) // count(*) OVER () AS fifth
  FROM each_column(common_numeric, given)
  WHERE this_column IS NOT NULL

  UNION ALL

  SELECT
    'isolation' AS column_name, found.distance AS number, people.named, people.listed,
    5 * (rank() OVER (ORDER BY found.distance) - 1) // count(*) OVER () AS fifth
  FROM nearest(
    queries := population(train := train, holdout := holdout),
    reference := population(train := train, holdout := holdout),
    train := population(train := train, holdout := holdout),
    k := 5,
    exclude_self := true
  ) AS found
  JOIN people ON people.first_record = found.record
  WHERE $isolation AND found.rank = 5
),
moments AS (
  SELECT
    this_name AS column_name, CAST(this_column AS VARCHAR) AS value, named, listed,
    5 * (rank() OVER (ORDER BY this_column) - 1) // count(*) OVER () AS fifth
  FROM each_column(common_temporal, given)
  WHERE this_column IS NOT NULL
),
by_fifth AS (
  SELECT
    column_name, fifth, whole_text(CAST(min(number) AS VARCHAR)) AS least, whole_text(CAST(max(number) AS VARCHAR)) AS most,
    count(*) AS people, sum(named) AS named, sum(listed) AS listed
  FROM numbers
  GROUP BY column_name, fifth

  UNION ALL

  SELECT
    column_name, fifth, min(value) AS least, max(value) AS most, count(*) AS people, sum(named) AS named, sum(listed) AS listed
  FROM moments
  GROUP BY column_name, fifth
),
shown AS (
  SELECT column_name, place, value, people, named, listed
  FROM by_category
  WHERE place <= 20

  UNION ALL

  SELECT
    column_name, fifth + 1 AS place,
    CASE WHEN least = most THEN least ELSE least || ' to ' || most END AS value,
    people, named, listed
  FROM by_fifth
)
SELECT
  shown.column_name, shown.place, shown.value, shown.people, shown.named, shown.listed,
  totals.people AS all_people, totals.named AS all_named
FROM shown
CROSS JOIN (SELECT count(*) AS people, sum(named) AS named FROM people) AS totals
