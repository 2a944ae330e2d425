/*
summary = "DCR of persons, the mean over their rows: of synthetic to train, holdout to train, and train within itself."
part = true
tables = ["synthetic", "train", "holdout?"]
*/
WITH distances AS (
  SELECT 'synthetic_train' AS comparison, found.distance, owners.record, CAST(owners.person AS VARCHAR) AS person
  FROM nearest(queries := synthetic, reference := train, train := train, k := 1) AS found
  JOIN owners(synthetic) AS owners ON owners.record = found.record

  UNION ALL

  SELECT 'holdout_train' AS comparison, found.distance, owners.record, CAST(owners.person AS VARCHAR) AS person
  FROM nearest(queries := holdout, reference := train, train := train, k := 1) AS found
  JOIN persons(train := train, holdout := holdout) AS owners ON owners.record = found.record AND owners.side = 'holdout'
  WHERE $holdout IS NOT NULL

  UNION ALL

  SELECT 'train_train' AS comparison, found.distance, owners.record, CAST(owners.person AS VARCHAR) AS person
  FROM nearest(queries := train, reference := train, train := train, k := 1, exclude_self := true) AS found
  JOIN persons(train := train, holdout := holdout) AS owners ON owners.record = found.record AND owners.side = 'train'
),
beside_largest AS (
  SELECT comparison, person, distance, max(distance) OVER (PARTITION BY comparison, person) AS largest
  FROM distances
)
SELECT comparison, 'dcr' AS metric, 1 AS position, exact_mean_up_to(distance, largest) AS value
FROM beside_largest
GROUP BY comparison, person
