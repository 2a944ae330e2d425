/*
summary = "A lower bound of the epsilon of differential privacy of one run of a synthesizer, where a fair coin decided for each record whether it is in train."
source = "Steinke, Nasr and Jagielski, Privacy Auditing with One (1) Training Run, NeurIPS 2023, with delta = 0."
options = ["attack.near", "attack.width", "attack.combinations", "distance", "seed"]
order = ["position", "attack", "guesses"]

[parameters]
synthetic = { type = "relation", doc = "the synthetic table" }
train = { type = "relation", doc = "the records that the coin put into train, and the synthesizer saw; see split" }
holdout = { type = "relation", doc = "those that it did not, all of them" }
attack = { type = "names", default = ["agreement"], choices = ["all", "distance", "ratio", "density", "agreement", "agreement_near", "uniques", "own"], beside = { own = "scores" }, doc = "how a score is made; not learned, which knows who is a member. Several share no level" }
scores = { type = "relation", optional = true, columns = ["score"], doc = "scores of attacks of your own, as in membership; they must not know who is a member" }

[columns]
attack = "VARCHAR"
canaries = "BIGINT, records of which the coin decided: all of train and of the holdout"
guesses = "BIGINT, so many are guessed: one half, with the largest scores, to be in train, and the other, with the smallest, not to be; the others are left open"
correct = "BIGINT, so many of the guesses are right"
accuracy = "DOUBLE, correct / guesses"
epsilon_lower = "DOUBLE, a synthesizer with a smaller epsilon gives so many right guesses with a chance of 5 % at most, for the three numbers of guesses of an attack together; 0 says nothing"
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
  -- Further off than five standard deviations.
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
