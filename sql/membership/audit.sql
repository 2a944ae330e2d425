/*
summary = "A lower bound of the epsilon of differential privacy, from one run of a synthesizer in which a fair coin assigned each record to train or the holdout."
source = "Steinke, Nasr and Jagielski, Privacy Auditing with One (1) Training Run, NeurIPS 2023, with delta = 0."
options = ["attack.near", "attack.width", "attack.combinations", "attack.bandwidth", "attack.folds", "distance", "seed"]
order = ["position", "attack", "guesses"]
example = { synthetic = "synthetic", train = "train", holdout = "holdout", exclude = ["id"], attack = ["distance", "agreement"], seed = 3 }
tables = ["synthetic", "train", "holdout"]

[parameters]
train = { doc = "the records that the coin assigned to train, and that the synthesizer saw; see split" }
holdout = { doc = "all records that the coin assigned to the holdout" }
attack = { type = "names", default = ["agreement"], choices = ["all", "distance", "ratio", "density", "agreement", "agreement_near", "uniques", "kernel", "learned", "own"], apart = ["kernel", "learned"], beside = { own = "scores" }, doc = "the attack that computes the score; several are not adjusted for each other" }
scores = { type = "relation", optional = true, columns = ["score"], doc = "scores of your own attacks, as in membership; they must not be computed from the membership itself" }

[columns]
attack = "VARCHAR"
canaries = "BIGINT, number of records assigned by the coin: all of train and of the holdout"
guesses = "BIGINT, number of guesses: the half with the largest scores is guessed to be in train, the half with the smallest not to be; there is no guess for other records"
correct = "BIGINT, number of correct guesses"
accuracy = "DOUBLE, correct / guesses"
epsilon_lower = "DOUBLE, lower bound of epsilon: with a smaller one, the probability of this many correct guesses is at most 5 %, for the three numbers of guesses of an attack together; 0 is no evidence"
*/
WITH scores AS (
  SELECT
    this_value AS attack,
    found.fold,
    found.side,
    found.score,
    drawn(found.first_record * 2 + CASE found.side WHEN 'train' THEN 0 ELSE 1 END, $seed) AS lot
  FROM each_value($attack)
  CROSS JOIN scored(
    synthetic := synthetic, train := train, holdout := holdout, scores := scores, attack := this_value, k := 1
  ) AS found
),
ranked AS (
  SELECT
    attack,
    fold,
    side,
    count(*) OVER (PARTITION BY attack, fold) AS canaries,
    row_number() OVER (PARTITION BY attack, fold ORDER BY score DESC, lot) AS place
  FROM scores
),
folds AS (
  SELECT attack, count(DISTINCT fold) AS folds
  FROM scores
  GROUP BY attack
),
shares AS (
  SELECT 200 AS one_in UNION ALL SELECT 20 UNION ALL SELECT 2
),
counted AS (
  SELECT
    ranked.attack,
    ranked.fold,
    shares.one_in,
    max(folds.folds) AS folds,
    max(ranked.canaries) AS canaries,
    count(*) AS guesses,
    count(
      CASE WHEN (ranked.place <= ranked.canaries // shares.one_in) = (ranked.side = 'train') THEN 1 END
    ) AS correct
  FROM ranked
  JOIN folds ON folds.attack = ranked.attack
  CROSS JOIN shares
  WHERE ranked.place <= ranked.canaries // shares.one_in
    OR ranked.place > ranked.canaries - ranked.canaries // shares.one_in
  GROUP BY ranked.attack, ranked.fold, shares.one_in
),
bounded AS (
  SELECT DISTINCT attack, guesses, correct, lower
  FROM limits(guesses := counted)
),
-- The coins of a fold are guessed from those of the others, so that each fold is a run of its own.
together AS (
  SELECT
    counted.attack,
    counted.one_in,
    CAST(sum(counted.canaries) AS BIGINT) AS canaries,
    CAST(sum(counted.guesses) AS BIGINT) AS guesses,
    CAST(sum(counted.correct) AS BIGINT) AS correct,
    max(bounded.lower) AS lower
  FROM counted
  LEFT JOIN bounded
    ON bounded.attack = counted.attack AND bounded.guesses = counted.guesses AND bounded.correct = counted.correct
  GROUP BY counted.attack, counted.one_in
),
sides AS (
  SELECT
    (SELECT count(*) FROM encoded(train)) AS members,
    (SELECT count(*) FROM encoded(holdout)) AS others
),
fair AS (
  -- More than five standard deviations off.
  SELECT
    CASE
      WHEN CAST(members - others AS DOUBLE) * (members - others) > 25.0 * (members + others) THEN
        'OptionError: ' || label(train) || ' has ' || members || ' records and ' || label(holdout) || ' has ' || others
        || ', which no fair coin gives; split with a share of 0.5 draws the tables, and all records that were not drawn '
        || 'are the holdout'
    END AS message
  FROM sides
)
SELECT
  CASE attack
    WHEN 'distance' THEN 1
    WHEN 'ratio' THEN 2
    WHEN 'density' THEN 3
    WHEN 'agreement' THEN 4
    WHEN 'agreement_near' THEN 5
    WHEN 'uniques' THEN 6
    WHEN 'kernel' THEN 7
    WHEN 'learned' THEN 8
    ELSE 9
  END AS position,
  attack,
  canaries,
  guesses,
  correct,
  CAST(correct AS DOUBLE) / guesses AS accuracy,
  CASE WHEN lower > 0.5 THEN ln(lower / (1 - lower)) ELSE 0.0 END AS epsilon_lower
FROM together
WHERE (SELECT none_lacks(message) AS is_fair FROM fair)
