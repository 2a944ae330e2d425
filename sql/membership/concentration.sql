/*
summary = "To what extent the rows of each synthetic person come from a single real person, which measures of single rows cannot show."
source = "The share of a synthetic person's rows whose nearest real row belongs to the real person that has most of them."
options = ["unit.unit", "distance"]
reads.units = ["synthetic", "train"]
order = ["person"]
example = { synthetic = "synthetic", train = "train", unit = "city", exclude = ["id"] }
tables = ["synthetic", "train"]

[parameters]
unit = { required = true }

[columns]
person = "ANY, the synthetic person, in the type of the unit"
rows = "BIGINT, number of rows of the person"
closest_person = "ANY, the real person to whom most of the nearest rows belong; among ties, the one with the smallest record number"
share = "DOUBLE, the share of its rows whose nearest real row is that person's"
*/
WITH found AS (
  SELECT
    mine.person,
    theirs.person AS closest_person,
    count(*) AS hits,
    min(closest.neighbor) AS first_neighbor
  FROM nearest(queries := synthetic, reference := train, train := train, k := 1) AS closest
  JOIN owners(synthetic) AS mine ON mine.record = closest.record
  JOIN owners(train) AS theirs ON theirs.record = closest.neighbor
  GROUP BY mine.person, theirs.person
),
placed AS (
  SELECT
    *,
    row_number() OVER (PARTITION BY person ORDER BY hits DESC, first_neighbor) AS place,
    CAST(sum(hits) OVER (PARTITION BY person) AS BIGINT) AS "rows"
  FROM found
)
SELECT person, "rows", closest_person, CAST(hits AS DOUBLE) / "rows" AS share
FROM placed
WHERE place = 1
