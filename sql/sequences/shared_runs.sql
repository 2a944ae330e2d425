/*
summary = "The longest run of equal rows that each synthetic person shares with a person of train, compared with persons of the holdout."
source = "Longest common substring of two sequences, by matches of pieces on one diagonal: Wilbur and Lipman, PNAS 80 (1983)."
options = ["distance.columns", "distance.exclude", "distance.numeric", "distance.categorical", "unit.unit"]
reads.units = ["synthetic", "train", "holdout"]
reads.compares = true
order = ["rank"]
example = { synthetic = "synthetic", train = "train", holdout = "holdout", unit = "city", order = "n", exclude = ["id"], length = 1 }
tables = ["synthetic", "train", "holdout?"]

[parameters]
synthetic = { doc = "the synthetic rows" }
holdout = { doc = "real rows that it never saw: they show the length of runs shared by chance" }
order = { type = "name", own = true, optional = true, doc = "the column of time or position that orders the rows of a person. Required, like unit; it is not compared" }
length = { type = "integer", own = true, default = 3, minimum = 1, maximum = 32, doc = "the minimum number of rows in a run; shorter runs are ignored. If many rows share few values, a larger number is faster" }

[columns]
person = "ANY, the synthetic person, in the type of the unit"
shared = "BIGINT, number of rows of the longest run shared with a person of train; 0 if none has the minimum length"
record = "BIGINT, the 0-based synthetic record at which the run starts; NULL if there is none"
train_person = "ANY, the real person with the same run; among several, the one whose run comes first"
train_record = "BIGINT, the 0-based train record at which the run starts"
usual = "BIGINT, the 99th percentile of the same length over the persons of the holdout; NULL without one"
beyond = "BOOLEAN, whether shared exceeds usual: at most 1 % of persons who were not in train share such a long run with it"
*/
WITH synthetic_persons AS (
  SELECT person, min(record) AS first_record
  FROM owners(synthetic)
  GROUP BY person
),
holdout_shares AS (
  SELECT persons.person, coalesce(found.shared, 0) AS shared
  FROM (SELECT DISTINCT person FROM owners(holdout)) AS persons
  LEFT JOIN longest_shared(queries := holdout, reference := train, length := $length) AS found ON found.person = persons.person
  WHERE $holdout IS NOT NULL
),
usual AS (
  SELECT min(CASE WHEN 100 * place >= 99 * persons THEN shared END) AS shared
  FROM (
    SELECT shared, row_number() OVER (ORDER BY shared) AS place, count(*) OVER () AS persons
    FROM holdout_shares
  ) AS ordered
)
SELECT
  row_number() OVER (ORDER BY coalesce(found.shared, 0) DESC, persons.first_record) AS rank,
  persons.person,
  coalesce(found.shared, 0) AS shared,
  found.record,
  found.other AS train_person,
  found.other_record AS train_record,
  usual.shared AS usual,
  CAST(coalesce(found.shared, 0) > usual.shared AS BOOLEAN) AS beyond
FROM synthetic_persons AS persons
CROSS JOIN usual
LEFT JOIN longest_shared(queries := synthetic, reference := train, length := $length) AS found ON found.person = persons.person
