/*
summary = "Who of train can be named as having been in it: a list of which at most a chosen share is expected to be there by chance."
source = "Conformal p-values with false discovery control: Bates et al., Annals of Statistics 51 (2023); Benjamini and Hochberg, JRSS B 57 (1995)."
options = ["attack.near", "attack.width", "attack.combinations", "attack.folds", "attack.hints", "distance", "unit", "sequence", "seed"]
units = ["train", "holdout"]
columns_with = { person = "unit" }
order = ["record"]
keys = { record = "train", synthetic = "synthetic" }

[parameters]
synthetic = { type = "relation", doc = "the synthetic table" }
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
holdout = { type = "relation", doc = "real rows that it never saw, drawn as train was; only they say whom nobody could have named: hold some back before synthesizing" }
attack = { type = "names", default = ["agreement"], choices = ["all", "distance", "ratio", "density", "calibrated", "agreement", "agreement_near", "uniques", "learned", "own"], doc = "the attack that computes the score; several attacks share false_discovery", beside = { calibrated = "reference", own = "scores" } }
false_discovery = { type = "number", default = 0.05, above = 0, below = 1, doc = "the share of those named that may be there by chance" }
k = { type = "integer", default = 1, minimum = 1, doc = "the neighbor whose distance the attack density compares" }
reference = { type = "relation", optional = true, doc = "further real rows, in neither train nor the holdout, for the attack calibrated" }
children = { type = "families", optional = true, doc = "child tables by name, each as [synthetic, train, holdout, key]. Evaluated in turn are the parents alone, aggregates of their children (flatten), both, and the rows of the children; the first column, part, says which" }
scores = { type = "relation", optional = true, columns = ["score"], doc = "scores of your own attacks: one finite score per record of train and the holdout, identified by side and record, by record alone (train, then the holdout), or by the key; attack names several attacks, a single one is own" }

[columns]
person = "ANY, with unit only: the person, in the type of the unit"
record = "BIGINT, the train record's 0-based position in scan order; of a person, its record with the largest score"
attack = "VARCHAR, the attack whose q_value is the smallest, where several are asked: score, p_value and what follows are of it"
score = "DOUBLE, larger for a more likely member"
p_value = "DOUBLE, conformal: how often a record of the holdout scores as high, itself among them"
q_value = "DOUBLE, the smallest false_discovery with which it would be named, times the number of attacks"
exposed = "BOOLEAN, q_value is at most false_discovery"
synthetic = "BIGINT, the synthetic record to blame; of learned, the closest one"
own_bits = "DOUBLE, attacks by agreement only: the score that an exact copy of the record would have"
agreeing = "STRUCT(column VARCHAR, bits DOUBLE)[], attacks by agreement: the columns in which both agree, and what each says; uniques: its smallest combinations of columns, each worth log2 of the number of real records"
*/
WITH agreeing AS (
  SELECT this_value AS attack, evidence.record, evidence.own_bits, evidence.agreeing
  FROM each_value($attack)
  CROSS JOIN exposing_columns(
    synthetic := synthetic, train := train, holdout := holdout, attack := this_value
  ) AS evidence
)
SELECT
  named.person,
  named.record,
  named.attack,
  named.score,
  named.p_value,
  named.q_value,
  CAST(named.q_value <= $false_discovery AS BOOLEAN) AS exposed,
  named.synthetic,
  agreeing.own_bits,
  agreeing.agreeing
FROM named(
  synthetic := synthetic, train := train, holdout := holdout, reference := reference, scores := scores, attack := $attack, k := $k
) AS named
LEFT JOIN agreeing ON agreeing.record = named.record AND agreeing.attack = named.attack
