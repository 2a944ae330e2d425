/*
summary = "How many people of train there are in each group by a column, and how many of them are named, and listed."
part = true
run.few = true
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
  SELECT this_name AS column_name, CAST(this_column AS VARCHAR) AS value, CAST(named AS BIGINT) AS named, CAST(listed AS BIGINT) AS listed
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
    this_name AS column_name, 0 AS isolated, CAST(this_column AS DOUBLE) AS number,
    CAST(named AS BIGINT) AS named, CAST(listed AS BIGINT) AS listed,
    5 * (rank() OVER (ORDER BY this_column) - 1) // count(*) OVER () AS fifth
  FROM each_column(common_numeric, given)
  WHERE this_column IS NOT NULL

  UNION ALL

  SELECT
    'isolation' AS column_name, 1 AS isolated, found.distance AS number,
    CAST(people.named AS BIGINT) AS named, CAST(people.listed AS BIGINT) AS listed,
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
    this_name AS column_name, CAST(this_column AS VARCHAR) AS value, CAST(named AS BIGINT) AS named, CAST(listed AS BIGINT) AS listed,
    5 * (rank() OVER (ORDER BY this_column) - 1) // count(*) OVER () AS fifth
  FROM each_column(common_temporal, given)
  WHERE this_column IS NOT NULL
),
ranges AS (
  SELECT
    column_name, isolated, fifth, min(number) AS first, max(number) AS last,
    max(number) / 2 - min(number) / 2 AS half, count(*) AS people, sum(named) AS named, sum(listed) AS listed
  FROM numbers
  GROUP BY column_name, isolated, fifth
),
-- Three digits of the width of a range, at least to the unit: enough to tell it from the next.
rounded AS (
  SELECT
    *,
    CASE
      WHEN half > 0 AND half < 1e15
        THEN power(CAST(10 AS DOUBLE), least(greatest(2 - floor(ln(half) / 2.302585092994046 + 0.301029997), 0), 22))
    END AS tens
  FROM ranges
),
by_fifth AS (
  SELECT
    column_name, isolated, fifth,
    number_text(coalesce(floor(first * tens + 0.5) / tens, first)) AS first,
    number_text(coalesce(floor(last * tens + 0.5) / tens, last)) AS last,
    people, named, listed
  FROM rounded

  UNION ALL

  SELECT
    column_name, 0 AS isolated, fifth, day_text(min(value)) AS first, day_text(max(value)) AS last,
    count(*) AS people, sum(named) AS named, sum(listed) AS listed
  FROM moments
  GROUP BY column_name, fifth
),
ends AS (
  SELECT
    *,
    row_number() OVER (PARTITION BY column_name, isolated ORDER BY fifth) AS from_first,
    row_number() OVER (PARTITION BY column_name, isolated ORDER BY fifth DESC) AS from_last
  FROM by_fifth
),
-- The least and the largest value are those of single people, and not shown.
shown AS (
  SELECT column_name, 0 AS isolated, place, value, people, named, listed
  FROM by_category
  WHERE place <= 20

  UNION ALL

  SELECT
    column_name, isolated, fifth + 1 AS place,
    CASE
      WHEN first = last THEN first
      WHEN from_first = 1 THEN '<= ' || last
      WHEN from_last = 1 THEN '>= ' || first
      ELSE first || ' .. ' || last
    END AS value,
    people, named, listed
  FROM ends
)
SELECT
  shown.column_name, shown.isolated, shown.place, shown.value, shown.people, shown.named, shown.listed,
  totals.people AS all_people, totals.named AS all_named
FROM shown
CROSS JOIN (SELECT count(*) AS people, sum(named) AS named FROM people) AS totals
