/*
summary = "Records of synthetic and of train in two dimensions, on the principal axes of real rows: a random sample and given records."
options = [
  "distance.scaling", "distance.columns", "distance.exclude", "distance.numeric", "distance.categorical", "distance.text", "distance.weights",
  "distance.category_mismatch", "distance.key", "types",
]
reads.compares = true
part = true
order = ["side", "record"]
tables = ["synthetic", "train", "holdout?"]

[parameters]
scaling = { default = "standard" }
holdout = { doc = "real rows that it never saw: the axes are then also fitted on them, so that train does not appear more spread out" }
of_synthetic = { type = "numbers", default = [], doc = "synthetic records to include in any case" }
of_train = { type = "numbers", default = [], doc = "train records to include in any case" }
points = { type = "integer", default = 300, doc = "number of records of each table that are drawn at random" }

[columns]
side = "VARCHAR: synthetic or train"
record = "BIGINT"
x = "DOUBLE, the coordinate on the first axis"
y = "DOUBLE, the coordinate on the second axis"
explained_x = "DOUBLE, the share of the variance of real rows that the first axis explains; NULL if all records are equal"
explained_y = "DOUBLE, the same for the second axis"
drawn = "BOOLEAN, whether it was drawn at random"
*/
WITH placed AS (
  SELECT
    'synthetic' AS side,
    generate_subscripts(projection.found.places[1], 1) - 1 AS record,
    unnest(projection.found.places[1]) AS x,
    unnest(projection.found.places[2]) AS y,
    projection.found.explained[1] AS explained_x,
    projection.found.explained[2] AS explained_y
  FROM projected(train := train, others := holdout, data := synthetic) AS projection

  UNION ALL

  SELECT
    'train' AS side,
    generate_subscripts(projection.found.places[1], 1) - 1 AS record,
    unnest(projection.found.places[1]) AS x,
    unnest(projection.found.places[2]) AS y,
    projection.found.explained[1] AS explained_x,
    projection.found.explained[2] AS explained_y
  FROM projected(train := train, others := holdout, data := train) AS projection
),
ranked AS (
  SELECT
    side,
    record,
    x,
    y,
    explained_x,
    explained_y,
    row_number() OVER (PARTITION BY side ORDER BY drawn(record, 0), record) <= $points AS drawn,
    list_contains(
      CASE WHEN side = 'synthetic' THEN CAST($of_synthetic AS BIGINT[]) ELSE CAST($of_train AS BIGINT[]) END, record
    ) AS wanted
  FROM placed
)
SELECT side, record, x, y, explained_x, explained_y, drawn
FROM ranked
WHERE drawn OR wanted
