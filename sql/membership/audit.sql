/*
summary = "A lower bound of the epsilon of differential privacy, from one run of a synthesizer in which a fair coin assigned each record to train or the holdout."
source = "Steinke, Nasr and Jagielski, Privacy Auditing with One (1) Training Run, NeurIPS 2023, with delta = 0."
options = ["attack.near", "attack.width", "attack.combinations", "distance", "seed"]
order = ["position", "attack", "guesses"]
example = { synthetic = "synthetic", train = "train", holdout = "holdout", exclude = ["id"], attack = ["distance", "agreement"], seed = 3 }
tables = ["synthetic", "train", "holdout"]

[parameters]
train = { doc = "the records that the coin assigned to train, and that the synthesizer saw; see split" }
holdout = { doc = "all records that the coin assigned to the holdout" }
attack = { type = "names", default = ["agreement"], choices = ["all", "distance", "ratio", "density", "agreement", "agreement_near", "uniques", "own"], beside = { own = "scores" }, doc = "the attack that computes the score (not learned, which trains on the membership); several are not adjusted for each other" }
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
    side,
    count(*) OVER (PARTITION BY attack) AS canaries,
    row_number() OVER (PARTITION BY attack ORDER BY score DESC, lot) AS place
  FROM scores
),
shares AS (
  SELECT 200 AS one_in UNION ALL SELECT 20 UNION ALL SELECT 2
),
counted AS (
  SELECT
    ranked.attack,
    1 AS folds,
    max(ranked.canaries) AS canaries,
    count(*) AS guesses,
    count(
      CASE WHEN (ranked.place <= ranked.canaries // shares.one_in) = (ranked.side = 'train') THEN 1 END
    ) AS correct
  FROM ranked
  CROSS JOIN shares
  WHERE ranked.place <= ranked.canaries // shares.one_in
    OR ranked.place > ranked.canaries - ranked.canaries // shares.one_in
  GROUP BY ranked.attack, shares.one_in
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
  CASE counted.attack
    WHEN 'distance' THEN 1
    WHEN 'ratio' THEN 2
    WHEN 'density' THEN 3
    WHEN 'agreement' THEN 4
    WHEN 'agreement_near' THEN 5
    WHEN 'uniques' THEN 6
    ELSE 7
  END AS position,
  counted.attack,
  counted.canaries,
  counted.guesses,
  counted.correct,
  CAST(counted.correct AS DOUBLE) / counted.guesses AS accuracy,
  CASE WHEN limits.lower > 0.5 THEN ln(limits.lower / (1 - limits.lower)) ELSE 0.0 END AS epsilon_lower
FROM counted
LEFT JOIN limits(guesses := counted) AS limits
  ON limits.attack = counted.attack AND limits.guesses = counted.guesses
WHERE (SELECT none_lacks(message) AS is_fair FROM fair)
