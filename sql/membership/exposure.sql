/*
summary = "Who of train can be named as having been in it: a list of which at most a chosen share is expected to be there by chance."
source = "Conformal p-values with false discovery control: Bates et al., Annals of Statistics 51 (2023); Benjamini and Hochberg, JRSS B 57 (1995)."
options = ["attack.near", "distance", "unit"]
units = ["train", "holdout"]
columns_with = { person = "unit" }
order = ["record"]
keys = { record = "train", synthetic = "synthetic" }

[parameters]
synthetic = { type = "relation", doc = "the synthetic table" }
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
holdout = { type = "relation", doc = "real rows that it never saw, drawn as train was; only they say whom nobody could have named: hold some back before synthesizing" }
attack = { type = "text", default = "agreement", choices = ["distance", "ratio", "density", "calibrated", "agreement", "agreement_near"], doc = "how a score is made", beside = { calibrated = "reference" } }
false_discovery = { type = "number", default = 0.05, above = 0, below = 1, doc = "the share of those named that may be there by chance" }
k = { type = "integer", default = 1, minimum = 1, doc = "the neighbor whose distance the attack density compares" }
reference = { type = "relation", optional = true, doc = "further real rows, neither of train nor of the holdout, for the attack calibrated" }

[columns]
person = "ANY, with unit only: the person, in the type of the unit"
record = "BIGINT, the train record's 0-based position in scan order; of a person, its record with the largest score"
score = "DOUBLE, larger for a more likely member"
p_value = "DOUBLE, conformal: how often a record of the holdout scores as high, itself among them"
q_value = "DOUBLE, the smallest false_discovery with which it would be named"
exposed = "BOOLEAN, q_value is at most false_discovery"
synthetic = "BIGINT, the synthetic record to blame"
own_bits = "DOUBLE, attacks by agreement only: the score that an exact copy of the record would have"
agreeing = "STRUCT(column VARCHAR, bits DOUBLE)[], attacks by agreement only: the columns in which both agree, and what each says"
*/
WITH agreeing AS (
  SELECT
    record,
    own_bits,
    list_filter(
      [each(compared, {'column': this_name, 'bits': bits[this_position + 1]})], lambda item: item.bits > 0
    ) AS agreeing
  FROM agreed(synthetic := synthetic, train := train, holdout := holdout, attack := $attack)
  WHERE side = 'train' AND ($attack = 'agreement' OR $attack = 'agreement_near')

  UNION ALL

  SELECT
    CAST(NULL AS BIGINT) AS record,
    CAST(NULL AS DOUBLE) AS own_bits,
    CAST(NULL AS STRUCT("column" VARCHAR, bits DOUBLE)[]) AS agreeing
  WHERE NOT ($attack = 'agreement' OR $attack = 'agreement_near')
)
SELECT
  exposures.person,
  exposures.record,
  exposures.score,
  exposures.p_value,
  exposures.q_value,
  CAST(exposures.q_value <= $false_discovery AS BOOLEAN) AS exposed,
  exposures.synthetic,
  agreeing.own_bits,
  agreeing.agreeing
FROM exposures(
  synthetic := synthetic, train := train, holdout := holdout, reference := reference, attack := $attack, k := $k
) AS exposures
LEFT JOIN agreeing ON agreeing.record = exposures.record
