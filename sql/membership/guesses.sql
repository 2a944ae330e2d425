/*
summary = "Guesses that the highest scores, among equally many members and non-members, belong to members, and the number of correct ones."
source = "Steinke, Nasr and Jagielski, NeurIPS 2023, with guesses for members only."
part = true

[parameters]
scores = { type = "relation", doc = "rows of attack, fold, side (train or holdout), first_record and score" }
*/
WITH sizes AS (
  SELECT
    attack,
    fold,
    count(CASE WHEN side = 'train' THEN 1 END) AS members,
    count(CASE WHEN side = 'holdout' THEN 1 END) AS non_members
  FROM scores
  GROUP BY attack, fold
),
drawn AS NOT MATERIALIZED (
  SELECT
    scores.attack,
    scores.fold,
    scores.side,
    scores.score,
    -- Quantiles do not interpolate between infinite scores.
    CASE
      WHEN scores.score > 1e300 THEN 1e300
      WHEN scores.score < -1e300 THEN -1e300
      ELSE coalesce(scores.score, -1e300)
    END AS bounded,
    -- A distinct random number per record: records of train have even ones, those of the holdout odd ones.
    drawn(scores.first_record * 2 + CASE scores.side WHEN 'train' THEN 0 ELSE 1 END, $seed) AS lot,
    scores.first_record,
    least(sizes.members, sizes.non_members) AS size,
    CASE scores.side WHEN 'train' THEN sizes.members ELSE sizes.non_members END AS records
  FROM scores
  JOIN sizes
    ON sizes.attack = scores.attack AND sizes.fold = scores.fold
),
-- Sample the larger side to the size of the other; the smaller side needs no sorting.
placed AS (
  SELECT attack, fold, side, score, bounded, lot, first_record, size
  FROM drawn
  WHERE records = size
  UNION ALL
  SELECT attack, fold, side, score, bounded, lot, first_record, size
  FROM (
    SELECT *, row_number() OVER (PARTITION BY attack, fold, side ORDER BY lot, first_record) AS place
    FROM drawn
    WHERE records > size
  ) AS larger
  WHERE place <= size
),
-- A tenth of those placed is guessed of at most, and the rest needs no order. All of the smaller side are placed, which
-- is half of them at least, so that the best quarter of it reaches further down than that tenth.
best AS (
  SELECT attack, fold, quantile_cont(bounded, 0.75) AS least
  FROM drawn
  WHERE records = size
  GROUP BY attack, fold
),
ranked AS (
  SELECT
    placed.attack,
    placed.fold,
    placed.side,
    placed.size,
    row_number() OVER (
      PARTITION BY placed.attack, placed.fold
      ORDER BY placed.score DESC, placed.lot, placed.first_record, placed.side
    ) AS place
  FROM placed
  JOIN best
    ON best.attack = placed.attack AND best.fold = placed.fold
  WHERE placed.bounded >= best.least
)
SELECT
  ranked.attack,
  ranked.fold,
  max(folds.folds) AS folds,
  shares.one_in,
  count(*) AS guesses,
  count(CASE WHEN ranked.side = 'train' THEN 1 END) AS correct
FROM ranked
CROSS JOIN (SELECT 1000 AS one_in UNION ALL SELECT 100 UNION ALL SELECT 10) AS shares
JOIN (SELECT attack, count(DISTINCT fold) AS folds FROM scores GROUP BY attack) AS folds
  ON folds.attack = ranked.attack
WHERE ranked.place <= 2 * ranked.size // shares.one_in
GROUP BY ranked.attack, ranked.fold, shares.one_in
