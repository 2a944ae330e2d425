/*
summary = "Guesses that the best-scored of as many members as non-members are members, and how many of them are right."
source = "Steinke, Nasr and Jagielski, NeurIPS 2023, with guesses for members only."
part = true

[parameters]
scores = { type = "relation", doc = "rows of attack, fold, side (train or holdout), first_record and score" }
*/
WITH drawn AS (
  SELECT
    attack,
    fold,
    side,
    score,
    -- Every record its own lot: those of train have even numbers, those of the holdout odd ones.
    drawn(first_record * 2 + CASE side WHEN 'train' THEN 0 ELSE 1 END, $seed) AS lot,
    first_record,
    count(CASE WHEN side = 'train' THEN 1 END) OVER (PARTITION BY attack, fold) AS members,
    count(CASE WHEN side = 'holdout' THEN 1 END) OVER (PARTITION BY attack, fold) AS non_members
  FROM scores
),
placed AS (
  SELECT
    attack,
    fold,
    side,
    score,
    lot,
    first_record,
    least(members, non_members) AS size,
    row_number() OVER (PARTITION BY attack, fold, side ORDER BY lot, first_record) AS place
  FROM drawn
),
ranked AS (
  SELECT
    attack,
    fold,
    side,
    size,
    row_number() OVER (PARTITION BY attack, fold ORDER BY score DESC, lot, first_record, side) AS place
  FROM placed
  WHERE place <= size
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
