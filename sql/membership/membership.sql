/*
summary = "Who was in train? How well attacks distinguish the records of train from those of the holdout, from synthetic alone."
source = "Shokri et al., IEEE S&P 2017; rates at low false positive rates: Carlini et al., IEEE S&P 2022; the top of the list: Ville, Etude critique de la notion de collectif (1939); epsilon: Steinke, Nasr and Jagielski, NeurIPS 2023; several attacks: Holm, Scandinavian Journal of Statistics 6 (1979)."
options = ["attack.near", "attack.width", "attack.combinations", "attack.bandwidth", "attack.folds", "attack.hints", "distance", "unit", "sequence", "seed", "release"]
reads.units = ["train", "holdout"]
order = ["position", "attack", "false_positive_rate"]
example = { synthetic = "synthetic", train = "train", holdout = "holdout", exclude = ["id"], false_positive_rates = [0.1, 0.5], seed = 3 }
tables = ["synthetic", "train", "holdout"]

[parameters]
synthetic = { each = true, doc = "the synthetic table; or several by name (or a list of names): each is then measured separately, and its name is in the first column" }
holdout = { doc = "real rows that it never saw, drawn like train: they show the scores without a leak" }
attack = { type = "names", default = ["all"], choices = ["all", "distance", "ratio", "density", "calibrated", "agreement", "agreement_near", "uniques", "kernel", "learned", "own"], apart = ["kernel"], doc = "one attack, several or all", beside = { calibrated = "reference", own = "scores" } }
false_positive_rates = { type = "numbers", default = [0.001, 0.01, 0.1], above = 0, below = 1, doc = "accepted shares of non-members that are taken for members" }
k = { type = "integer", default = 1, minimum = 1, doc = "the neighbor whose distance the attack density compares" }
reference = { type = "relation", optional = true, doc = "further real rows, in neither train nor the holdout, for the attack calibrated" }
children = { type = "families", optional = true, doc = "child tables by name, each as [synthetic, train, holdout, key]; a key visits.visit names children of the table visits. In turn: the parents alone, aggregates of their children (flatten), both, and the rows of the children; the first column, part, says which" }
scores = { type = "relation", optional = true, columns = ["score"], doc = "scores of your own attacks: one finite score per record of train and the holdout, identified by side and record, by record alone (train, then the holdout), or by the key; attack names several attacks, a single one is own" }

[columns]
attack = "VARCHAR"
members = "BIGINT, records of train; with unit, persons"
non_members = "BIGINT, the same for the holdout"
auc = "DOUBLE, area under the ROC curve: the probability that a member has a larger score than a non-member, ties counting one half; 0.5 if the attack learns nothing"
auc_lower = "DOUBLE, lower end of the 95 % interval (DeLong); NULL if a side has only one record"
auc_upper = "DOUBLE, upper end"
p_value = "DOUBLE, one-sided: the probability of an auc at least this large without a leak (normal approximation, corrected for ties)"
p_adjusted = "DOUBLE, the same, adjusted for choosing the best of several attacks (Holm)"
advantage = "DOUBLE, the largest difference between the rates of true and false positives over all thresholds"
advantage_p_value = "DOUBLE, one-sided (Kolmogorov-Smirnov)"
epsilon_lower = "DOUBLE, the largest epsilon of differential privacy that this run refutes at 95 %, if a coin assigned each record to train or the holdout (split, audit); 0 is no evidence, NULL if there are too few records for a guess"
at_least = "BIGINT, at least so many people of train are at the top of the list of scores beyond what chance explains, at 95 % for all attacks, folds and thresholds at once; 0 if that is not certain of anybody"
listed = "BIGINT, how many people of train that part of the list has: so many must be suspected to find the at_least; of several folds their sum"
top_p_value = "DOUBLE, one-sided: the probability of so many people of train among the first 8, 16, ... 512 of the list without a leak (hypergeometric), of the most striking of the seven lengths, times seven"
traced_lower = "DOUBLE, a lower bound, at 95 % and for all thresholds, of the share of train with scores beyond chance (Dvoretzky, Kiefer and Wolfowitz)"
false_positive_rate = "DOUBLE, the accepted share of non-members that are taken for members"
true_positive_rate = "DOUBLE, the largest share of members found at this false positive rate; NULL if the rate allows not even one non-member"
lower = "DOUBLE, lower end of the 95 % Wilson interval of true_positive_rate"
upper = "DOUBLE, upper end"
*/
WITH found AS (
  SELECT *
  FROM attack_statistics(
    roc := roc(scores := attack_scores(
      synthetic := synthetic, train := train, holdout := holdout, reference := reference, scores := scores, attack := $attack, k := $k
    ))
  )
),
adjusted AS (
  SELECT
    *,
    least(max(p_value * (attacks - place + 1)) OVER (ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), 1.0) AS p_adjusted
  FROM (
    SELECT *, count(*) OVER () AS attacks, row_number() OVER (ORDER BY p_value, attack) AS place
    FROM found
  ) AS placed
)
SELECT
  CASE adjusted.attack
    WHEN 'distance' THEN 1
    WHEN 'ratio' THEN 2
    WHEN 'density' THEN 3
    WHEN 'calibrated' THEN 4
    WHEN 'agreement' THEN 5
    WHEN 'agreement_near' THEN 6
    WHEN 'uniques' THEN 7
    WHEN 'kernel' THEN 8
    WHEN 'learned' THEN 9
    ELSE 10
  END AS position,
  adjusted.attack,
  adjusted.members,
  adjusted.non_members,
  adjusted.auc,
  adjusted.auc_lower,
  adjusted.auc_upper,
  adjusted.p_value,
  adjusted.p_adjusted,
  adjusted.advantage,
  adjusted.advantage_p_value,
  epsilons.epsilon_lower,
  tops.at_least,
  tops.listed,
  tops.top_p_value,
  adjusted.traced_lower,
  possible.false_positive_rate,
  possible.true_positive_rate,
  wilson(possible.true_positive_rate, adjusted.members, -1) AS lower,
  wilson(possible.true_positive_rate, adjusted.members, 1) AS upper
FROM adjusted
JOIN true_positive_rates(
  roc := roc(scores := attack_scores(
    synthetic := synthetic, train := train, holdout := holdout, reference := reference, scores := scores, attack := $attack, k := $k
  )),
  rates := $false_positive_rates
) AS possible
  ON possible.attack = adjusted.attack
LEFT JOIN top_statistics(
  roc := roc(scores := attack_scores(
    synthetic := synthetic, train := train, holdout := holdout, reference := reference, scores := scores, attack := $attack, k := $k
  ))
) AS tops
  ON tops.attack = adjusted.attack
LEFT JOIN epsilons(
  guesses := guesses(scores := attack_scores(
    synthetic := synthetic, train := train, holdout := holdout, reference := reference, scores := scores, attack := $attack, k := $k
  ))
) AS epsilons
  ON epsilons.attack = adjusted.attack
WHERE (SELECT is_enough FROM enough_of_all(synthetic := synthetic, train := train, holdout := holdout))
