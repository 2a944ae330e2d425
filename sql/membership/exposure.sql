/*
summary = "Which people can be identified as members of train: a list with a controlled false discovery rate."
source = "Conformal p-values with false discovery control: Bates et al., Annals of Statistics 51 (2023); Benjamini and Hochberg, JRSS B 57 (1995)."
options = ["attack.near", "attack.width", "attack.combinations", "attack.bandwidth", "attack.folds", "attack.hints", "distance", "unit", "sequence", "seed", "release", "spending"]
reads.units = ["train", "holdout"]
run.sets = { released = "union", released_of = ["each"] }
gives.columns_with = { person = "unit", release = "releases" }
order = ["record"]
keys = { record = "train", synthetic = "synthetic" }
example = { synthetic = "synthetic", train = "train", holdout = "holdout", key = "id", attack = "ratio", false_discovery = 0.5 }
tables = ["synthetic", "train", "holdout"]

[parameters]
holdout = { doc = "real rows that it never saw, drawn like train; only they show the scores of non-members: set some aside before synthesizing" }
attack = { type = "names", default = ["agreement"], choices = ["all", "distance", "ratio", "density", "calibrated", "agreement", "agreement_near", "uniques", "kernel", "learned", "own"], apart = ["kernel"], doc = "the attack; several share false_discovery", beside = { calibrated = "reference", own = "scores" } }
false_discovery = { type = "number", default = 0.05, above = 0, below = 1, doc = "the expected share of false identifications among those identified" }
k = { type = "integer", default = 1, minimum = 1, doc = "the neighbor whose distance the attack density compares" }
reference = { type = "relation", optional = true, doc = "further real rows, in neither train nor the holdout, for the attack calibrated" }
children = { type = "families", optional = true, doc = "child tables by name, each as [synthetic, train, holdout, key]; a key visits.visit names children of the table visits. In turn: the parents alone, aggregates of their children (flatten), both, and the rows of the children; the first column, part, says which" }
scores = { type = "relation", optional = true, columns = ["score"], doc = "scores of your own attacks: one finite score per record of train and the holdout, identified by side and record, by record alone (train, then the holdout), or by the key; attack names several attacks, a single one is own" }

[columns]
person = "ANY, only with unit: the person, in the type of the unit"
record = "BIGINT, the train record's 0-based position in scan order; for a person, the record with the largest score"
attack = "VARCHAR, the attack with the smallest q_value, if there are several; score, p_value and the columns below belong to it"
score = "DOUBLE, larger for a more likely member"
p_value = "DOUBLE, conformal p-value: the share of holdout records, with this record added, whose score is at least as high"
q_value = "DOUBLE, the smallest false_discovery at which the record would be exposed, including the factor for the number of attacks"
exposed = "BOOLEAN, whether q_value is at most false_discovery"
sure = "BOOLEAN, whether the record is among those listed by the attack with the largest at_least (as in membership, for the attacks of this call; of equal attacks the one with the shortest list, then the first by name): at least so many of them are in train beyond what chance explains, though not which"
synthetic = "BIGINT, the responsible synthetic record; for learned, the closest one"
release = "VARCHAR, only with releases: the table whose record synthetic is: synthetic for the newest, otherwise its name in releases"
own_bits = "DOUBLE, only for attacks by agreement: the score of an exact copy of the record"
agreeing = "STRUCT(column VARCHAR, bits DOUBLE)[], attacks by agreement: the columns that agree, with their bits; uniques: its smallest combinations of columns, each with log2 of the number of real records"
*/
WITH agreeing AS (
  SELECT this_value AS attack, evidence.record, evidence.own_bits, evidence.agreeing
  FROM each_value($attack)
  CROSS JOIN exposing_releases(
    synthetic := synthetic, train := train, holdout := holdout, attack := this_value
  ) AS evidence
),
named AS (
  SELECT person, first_record, record, attack, score, p_value, q_value, synthetic, release
  FROM named(
    synthetic := synthetic, train := train, holdout := holdout, reference := reference, scores := scores, attack := $attack, k := $k
  )
  WHERE $releases IS NULL

  UNION ALL

  SELECT person, first_record, record, attack, score, p_value, q_value, synthetic, coalesce(release, 'synthetic') AS release
  FROM named_releases(
    synthetic := synthetic, train := train, holdout := holdout, reference := reference, scores := scores, attack := $attack,
    false_discovery := $false_discovery, k := $k
  )
  WHERE released = 'union' AND $releases IS NOT NULL
)
SELECT
  named.person,
  named.record,
  named.attack,
  named.score,
  named.p_value,
  named.q_value,
  CAST(named.q_value <= $false_discovery AS BOOLEAN) AS exposed,
  CAST(sure.first_record IS NOT NULL AS BOOLEAN) AS sure,
  named.synthetic,
  named.release,
  agreeing.own_bits,
  agreeing.agreeing
FROM named
LEFT JOIN sure(
  synthetic := synthetic, train := train, holdout := holdout, reference := reference, scores := scores, attack := $attack, k := $k
) AS sure
  ON sure.first_record = named.first_record
LEFT JOIN agreeing ON agreeing.record = named.record AND agreeing.attack = named.attack
