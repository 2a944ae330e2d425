/*
summary = "The share of synthetic records whose closest real record is in train rather than in the holdout: among all, among those near a real record, and among copies."
source = "Platzer and Reutterer, Frontiers in Big Data 4 (2021). The assignment to train is what is random: the variance is that of permuting the labels, so synthetic records with the same closest real record are not independent evidence."
options = ["distance", "unit.unit", "unit.shared_units", "seed"]
reads.units = ["train", "holdout"]
order = ["place"]
example = { synthetic = "synthetic", train = "train", holdout = "holdout", metric = "hamming", exclude = ["id"] }
tables = ["synthetic", "train", "holdout"]

[parameters]
distances = { type = "relation", optional = true, columns = ["query", "rank", "neighbor", "distance"], doc = "neighbors by your own distance: for each synthetic record (query) all nearest real records (neighbor; train followed by the holdout), including ties, by rank. There is then no depth near" }

[columns]
depth = "VARCHAR: all, near (no farther from a real record than the nearest 5 % of real records are from each other) or copies (at distance 0)"
closer = "BIGINT, synthetic records closer to train than to holdout"
further = "BIGINT, synthetic records closer to holdout"
equal = "BIGINT, synthetic records equally close to both"
n = "BIGINT, synthetic records of this depth"
share = "DOUBLE, the mean share of train among the closest real records of a synthetic record; distances are scaled by train and holdout together, those for the counts by train"
expected = "DOUBLE, the share without a leak: rows (or persons) of train / (train + holdout)"
lower = "DOUBLE, lower end of the 95 % interval of share; records with the same closest real record, or person, count as one draw"
upper = "DOUBLE, upper end"
z = "DOUBLE, (share - expected) / its standard deviation under permuted labels; negative: closer to the holdout"
p_value = "DOUBLE, two-sided: the probability of a difference from expected at least this large without a leak; from 9,999 permutations of labels if there are fewer than 30 records, or few real ones have most of the weight"
*/
WITH pulled AS (
  SELECT *
  FROM closest_real(synthetic := synthetic, train := train, holdout := holdout)
  WHERE $distances IS NULL

  UNION ALL

  -- With the user's own distance, equal real records need not be equally near.
  SELECT
    given.record,
    given.distance,
    given.neighbor AS first_record,
    CASE WHEN given.neighbor < sizes.members THEN 1 ELSE 0 END AS members,
    1 AS alike
  FROM (
    SELECT *, min(distance) OVER (PARTITION BY record) AS least
    FROM given_neighbors(
      distances := distances, queries := synthetic, reference := population(train := train, holdout := holdout), k := 1
    )
  ) AS given
  CROSS JOIN (SELECT count(*) AS members FROM encoded(train)) AS sizes
  WHERE $distances IS NOT NULL AND given.distance = given.least
),
depths AS (
  SELECT 'all' AS depth, 1 AS place, CAST(NULL AS DOUBLE) AS radius
  UNION ALL
  SELECT 'near', 2, coalesce(quantile_cont(distance, 0.05), -1)
  FROM among_real(train := train, holdout := holdout)
  WHERE $distances IS NULL
  UNION ALL
  SELECT 'copies', 3, 0.0
),
-- One row for each distinct closest real record of a synthetic record.
drawn AS (
  SELECT
    depths.depth AS depth,
    pulled.record AS record,
    pulled.first_record AS first_record,
    pulled.members AS members,
    pulled.alike AS alike
  FROM pulled
  JOIN depths ON depths.radius IS NULL OR pulled.distance <= depths.radius
),
records AS (
  SELECT
    depth,
    record,
    sum(members) AS members,
    sum(alike) AS tied,
    min(first_record) AS first_record
  FROM drawn
  GROUP BY depth, record
),
sides AS (
  SELECT record, closer, further
  FROM closer_sides(synthetic := synthetic, train := train, holdout := holdout)
  WHERE $distances IS NULL

  UNION ALL

  SELECT record, sum(members) = sum(alike) AS closer, sum(members) = 0 AS further
  FROM pulled
  WHERE $distances IS NOT NULL
  GROUP BY record
),
counts AS (
  SELECT
    records.depth,
    count(CASE WHEN sides.closer THEN 1 END) AS closer,
    count(CASE WHEN sides.further THEN 1 END) AS further,
    count(CASE WHEN NOT sides.closer AND NOT sides.further THEN 1 END) AS equal,
    count(*) AS n,
    exact_mean(CAST(records.members AS DOUBLE) / records.tied) AS share
  FROM records
  JOIN sides ON sides.record = records.record
  GROUP BY records.depth
),
sizes AS (
  SELECT
    (SELECT count(*) FROM population(train := train, holdout := holdout)) AS n,
    (SELECT count(*) FROM encoded(train)) AS members
  WHERE $unit IS NULL

  UNION ALL

  SELECT count(*) AS n, count(CASE WHEN units.side = 'train' THEN 1 END) AS members
  FROM (
    SELECT persons.side, persons.person
    FROM persons(train := train, holdout := holdout) AS persons
    GROUP BY persons.side, persons.person
  ) AS units
  WHERE $unit IS NOT NULL
),
of_groups AS (
  SELECT
    drawn.depth,
    drawn.first_record,
    max(drawn.alike) AS alike,
    of_steps(sum(steps(1.0 / records.tied))) / max(counts.n) AS weight
  FROM drawn
  JOIN records ON records.depth = drawn.depth AND records.record = drawn.record
  JOIN counts ON counts.depth = drawn.depth
  GROUP BY drawn.depth, drawn.first_record
),
-- The weight of each real record, or person, in the share, and the number of those with this weight.
weights AS (
  SELECT depth, weight, CAST(sum(alike) AS BIGINT) AS units
  FROM of_groups
  WHERE $unit IS NULL
  GROUP BY depth, weight

  UNION ALL

  SELECT depth, weight, count(*) AS units
  FROM (
    SELECT of_groups.depth, alike.side, alike.person, exact_sum(of_groups.weight * alike.records) AS weight
    FROM of_groups
    JOIN alike_of_persons(train := train, holdout := holdout) AS alike ON alike.first_record = of_groups.first_record
    GROUP BY of_groups.depth, alike.side, alike.person
  ) AS of_persons
  WHERE $unit IS NOT NULL
  GROUP BY depth, weight
),
squares AS (
  SELECT weights.depth, exact_sum(weights.units * weights.weight * weights.weight) AS total
  FROM weights
  GROUP BY weights.depth
),
clusters AS (
  SELECT records.depth, records.first_record AS cluster, records.members, records.tied
  FROM records
  WHERE $unit IS NULL

  UNION ALL

  SELECT records.depth, owned.first_of_person AS cluster, records.members, records.tied
  FROM records
  JOIN alike_of_persons(train := train, holdout := holdout) AS owned
    ON owned.first_record = records.first_record AND owned.is_first
  WHERE $unit IS NOT NULL
),
deviations AS (
  SELECT depth, exact_sum(deviation * deviation) AS total
  FROM (
    SELECT
      clusters.depth,
      of_steps(sum(steps(CAST(clusters.members AS DOUBLE) / clusters.tied - counts.share))) / max(counts.n) AS deviation
    FROM clusters
    JOIN counts ON counts.depth = clusters.depth
    GROUP BY clusters.depth, clusters.cluster
  ) AS of_clusters
  GROUP BY depth
),
tested AS (
  SELECT
    counts.depth AS depth,
    counts.closer AS closer,
    counts.further AS further,
    counts.equal AS equal,
    counts.n AS n,
    counts.share AS share,
    squares.total AS concentration,
    deviations.total AS variance,
    sizes.members,
    sizes.n AS units,
    CAST(sizes.members AS DOUBLE) / sizes.n AS expected,
    CAST(sizes.members AS DOUBLE) / sizes.n * (sizes.n - sizes.members) / nullif(sizes.n - 1, 0)
      * (squares.total - 1.0 / sizes.n) AS chance
  FROM counts
  JOIN squares ON squares.depth = counts.depth
  JOIN deviations ON deviations.depth = counts.depth
  CROSS JOIN sizes
),
found AS (
  SELECT
    *,
    -- If all real records have the same weight, no permutation of labels changes the share.
    CASE WHEN chance > 1e-18 THEN (share - expected) / sqrt(chance) ELSE 0.0 END AS z
  FROM tested
),
heavy AS (
  SELECT weights.depth, weights.weight, weights.units, found.units AS all_units, found.members, found.share
  FROM weights
  JOIN found ON found.depth = weights.depth
  WHERE found.n < 30 OR found.concentration > 0.1
)
SELECT
  depths.place,
  depths.depth,
  coalesce(found.closer, 0) AS closer,
  coalesce(found.further, 0) AS further,
  coalesce(found.equal, 0) AS equal,
  coalesce(found.n, 0) AS n,
  found.share,
  CAST(sizes.members AS DOUBLE) / nullif(sizes.n, 0) AS expected,
  CASE WHEN found.n IS NOT NULL THEN greatest(found.share - 1.959963984540054 * sqrt(found.variance), 0.0) END AS lower,
  CASE WHEN found.n IS NOT NULL THEN least(found.share + 1.959963984540054 * sqrt(found.variance), 1.0) END AS upper,
  found.z,
  CASE WHEN found.n IS NOT NULL THEN coalesce(exchanges.p_value, erfc(abs(found.z) * 0.7071067811865476)) END AS p_value
FROM depths
CROSS JOIN sizes
LEFT JOIN found ON found.depth = depths.depth
LEFT JOIN exchanged(heavy := heavy) AS exchanges ON exchanges.depth = depths.depth
