/*
summary = "Everything that the report page shows, in one statement, so that no search runs twice."
options = ["attack.near", "attack.width", "attack.combinations", "attack.folds", "attack.hints", "distance", "unit", "seed", "release", "types"]
reads.units = ["train", "holdout"]
run.asks = ["disclosure", "anonymity", "attribute_inference", "linkability"]
part = true
order = ["item", "position", "metric", "comparison", "side", "attack", "lower", "theta", "threshold", "false_positive_rate", "listed"]
run.sets = { lenient = true, judged_apart = true, most = 100_000, controlled = true, noted = false, released = "alone", released_of = ["each"] }
reads.common = true
run.asks_before = { identifiers = "identifiers", row_numbers = "numbering_columns" }
tables = ["synthetic", "train", "holdout?"]

[parameters]
quasi_identifiers = { type = "names", optional = true, doc = "as in evaluate" }
targets = { type = "names", optional = true, doc = "as in evaluate" }
sensitive = { type = "names", optional = true, doc = "as in evaluate" }
known = { type = "names", optional = true, doc = "as in evaluate" }
secrets = { type = "names", optional = true, doc = "as in evaluate" }
other = { type = "names", optional = true, doc = "as in evaluate" }
risks = { type = "boolean", default = false, doc = "as in evaluate" }
k = { type = "integer", optional = true, minimum = 1, beside = "quasi_identifiers", doc = "as in evaluate" }
threshold = { type = "numbers", default = 0.2, above = 0, below = 1, doc = "as in evaluate" }
statistic = { type = "text", default = "median", choices = ["median", "mean"], doc = "as in evaluate" }
normalizer = { type = "number", optional = true, above = 0, doc = "as in evaluate" }
identifiers = { type = "text", default = "warn", choices = ["warn", "exclude", "compare"], doc = "as in evaluate" }
stops = { type = "numbers", default = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95], above = 0, below = 1, doc = "thresholds that the page offers" }
attack = { type = "names", default = ["distance", "density", "agreement", "agreement_near", "uniques", "learned"], choices = ["all", "distance", "ratio", "density", "agreement", "agreement_near", "uniques", "learned", "own"], beside = { own = "scores" }, doc = "as in evaluate" }
named_by = { type = "names", default = ["uniques", "learned"], choices = ["distance", "ratio", "density", "agreement", "agreement_near", "uniques", "learned", "own"], beside = { own = "scores" }, doc = "as in evaluate" }
false_discovery = { type = "number", default = 0.05, above = 0, below = 1, doc = "as in evaluate" }
tolerance = { type = "number", default = 0.02, minimum = 0, below = 0.5, doc = "as in evaluate" }
rates = { type = "numbers", default = [0.0001, 0.0002, 0.0003, 0.0005, 0.0007, 0.001, 0.0015, 0.002, 0.003, 0.005, 0.007, 0.01, 0.015, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.99], above = 0, below = 1, doc = "false positive rates at which the ROC curve of an attack is drawn" }
points = { type = "integer", default = 201, doc = "number of points of the drawn curve" }
show_values = { type = "boolean", default = false, doc = "include values of single records" }
sample = { type = "integer", own = true, optional = true, minimum = 200, doc = "as in evaluate" }
scores = { type = "relation", optional = true, columns = ["score"], doc = "as in evaluate" }

[columns]
item = "VARCHAR: number, column, bin, class, curve, area, record, roc, top, risk, limit, person, unique or key; the other columns are of the items that they name, and NULL in others"
position = "BIGINT; number: as in evaluate; column, record, risk, person and unique: place in the list"
section = "VARCHAR, number: as in evaluate"
metric = "VARCHAR; number: as in evaluate; bin: dcr, nndr_second or bits"
variant = "VARCHAR, number"
statistic = "VARCHAR, number"
value = "DOUBLE, number"
lower = "DOUBLE, the lower end; number: of the interval; bin and class: of what is counted"
upper = "DOUBLE, the upper end"
better = "VARCHAR, number"
meaning = "VARCHAR, number"
name = "VARCHAR, column: its name"
role = "VARCHAR, column"
weight = "DOUBLE, column"
comparison = "VARCHAR; bin: as in measured; of bits, the table whose records they are of"
share = "DOUBLE, bin: share of records"
side = "VARCHAR; class and key: synthetic or train"
records = "BIGINT; class: records in classes of this size; unique: synthetic records with the combination"
theta = "DOUBLE, curve"
accumulation = "DOUBLE, curve"
threshold = "DOUBLE, area"
privacy = "DOUBLE, area"
resemblance = "DOUBLE, area"
kind = "VARCHAR; record: copy or near"
dcr = "DOUBLE, record"
nndr = "DOUBLE, record"
copies = "BIGINT, record: real records equal to it"
attack = "VARCHAR; roc and top"
true_positive_rate = "DOUBLE, roc"
false_positive_rate = "DOUBLE, roc"
listed = "BIGINT, top: people of train at the top of the list"
others = "BIGINT, top: people of the holdout there"
by_chance = "DOUBLE, top: how many of train chance explains there"
is_end = "BOOLEAN, top: whether at_least is attained there"
column_name = "VARCHAR, risk: the column that groups people"
category = "VARCHAR, risk: the value of the group"
people = "BIGINT, risk: people in the group"
rate = "DOUBLE, risk: the share of them who can be identified"
rate_elsewhere = "DOUBLE, risk: the share of all others"
p_adjusted = "DOUBLE, risk"
bits = "DOUBLE; person: bits that agree; limit: the fewest bits at which agreement exposes a person"
own_bits = "DOUBLE, person: the bits of an exact copy"
q_value = "DOUBLE, person"
columns = "VARCHAR, unique: the columns whose values are unique together"
combinations = "BIGINT, unique: number of combinations of this size"
record = "BIGINT; record: its position in synthetic; person and unique: in train; key: in the table named by side"
nearest = "BIGINT, record: the position in train of the nearest real record"
synthetic = "BIGINT; person: the position of the responsible synthetic record; unique: of the first with the combination"
key = "VARCHAR, key: the key of the record"
agree = "BOOLEAN[]; record and person: for each column whether the two agree"
invented_values = "VARCHAR[]; record and person, with show_values: values of the synthetic record"
original_values = "VARCHAR[]; record and person, with show_values: values of the real one"
*/
WITH bits AS (
  SELECT 'bits' AS metric, side AS comparison, score AS value
  FROM agreement(synthetic := synthetic, train := train, holdout := holdout, near := 0.0)
),
measured AS (
  SELECT metric, position, comparison, value
  FROM measured(synthetic := synthetic, train := train, holdout := holdout, which := 'dcr')

  UNION ALL

  SELECT metric, position, comparison, value
  FROM measured(
    synthetic := synthetic, train := train, holdout := holdout, which := 'second', partial := true, partial_within := true
  )
),
class_sizes AS (
  SELECT 'synthetic' AS side, lower, upper, records
  FROM class_sizes(classes := classes(data := synthetic))
  WHERE $quasi_identifiers IS NOT NULL

  UNION ALL

  SELECT 'train' AS side, lower, upper, records
  FROM class_sizes(classes := classes(data := train))
  WHERE $quasi_identifiers IS NOT NULL
),
columns AS (
  SELECT this_position AS position, this_name AS name, this_role AS role, this_weight AS weight
  FROM each_column(compared)
)
SELECT
  'number' AS item, CAST(row_number() OVER (ORDER BY position, variant, place) AS BIGINT) AS position,
  section, metric, variant, statistic, value, lower, upper, better, meaning
FROM evaluate(
  synthetic := synthetic, train := train, holdout := holdout, quasi_identifiers := $quasi_identifiers, targets := $targets,
  sensitive := $sensitive, known := $known, secrets := $secrets, other := $other, risks := $risks, k := $k,
  threshold := $threshold, statistic := $statistic, normalizer := $normalizer, identifiers := $identifiers,
  attack := $attack, named_by := $named_by, false_discovery := $false_discovery, tolerance := $tolerance, scores := scores,
  sample := $sample
)

UNION ALL BY NAME

SELECT 'column' AS item, position, name, role, weight
FROM columns

UNION ALL BY NAME

SELECT 'bin' AS item, metric, comparison, share, lower, upper
FROM bins(measured := measured)

UNION ALL BY NAME

SELECT 'bin' AS item, metric, comparison, share, lower, upper
FROM bins(measured := bits, covered := 1.0)

UNION ALL BY NAME

SELECT 'class' AS item, side, CAST(records AS BIGINT) AS records, lower, upper
FROM class_sizes

UNION ALL BY NAME

SELECT 'curve' AS item, theta, accumulation
FROM mda_curve(a := synthetic, b := train, points := $points, normalizer := $normalizer)

UNION ALL BY NAME

SELECT 'area' AS item, threshold, privacy, resemblance
FROM mda(a := synthetic, b := train, threshold := $stops, normalizer := $normalizer)

UNION ALL BY NAME

SELECT
  'record' AS item, place AS position, CASE WHEN copies > 0 THEN 'copy' ELSE 'near' END AS kind, record,
  neighbor AS nearest, dcr, nndr, copies, agree, invented_values, original_values
FROM riskiest(synthetic := synthetic, train := train, show_values := $show_values)

UNION ALL BY NAME

SELECT 'roc' AS item, attack, true_positive_rate, false_positive_rate
FROM true_positive_rates(
  roc := roc(
    scores := attack_scores(synthetic := synthetic, train := train, holdout := holdout, attack := $attack, scores := scores)
  ),
  rates := $rates
)
WHERE
  $holdout IS NOT NULL
  AND (SELECT is_enough FROM enough_of_all(synthetic := synthetic, train := train, holdout := holdout))

UNION ALL BY NAME

SELECT 'top' AS item, attack, listed, others, by_chance, is_end
FROM top_of_lists(
  roc := roc(
    scores := attack_scores(synthetic := synthetic, train := train, holdout := holdout, attack := $attack, scores := scores)
  )
)
WHERE $holdout IS NOT NULL

UNION ALL BY NAME

SELECT
  'risk' AS item, CAST(place AS BIGINT) AS position, column_name, value AS category, people, rate, rate_elsewhere, p_adjusted
FROM groups_at_risk(
  synthetic := synthetic, train := train, holdout := holdout, named_by := $named_by, false_discovery := $false_discovery,
  scores := scores
)
WHERE $holdout IS NOT NULL

UNION ALL BY NAME

SELECT 'limit' AS item, min(score) AS bits
FROM exposures(synthetic := synthetic, train := train, holdout := holdout, attack := 'agreement')
WHERE $holdout IS NOT NULL AND q_value <= $false_discovery

UNION ALL BY NAME

SELECT
  'person' AS item, place AS position, record, synthetic, score AS bits, own_bits, q_value,
  agree, invented_values, original_values
FROM most_exposed(
  synthetic := synthetic, train := train, holdout := holdout, named_by := $named_by, scores := scores,
  show_values := $show_values
)

UNION ALL BY NAME

SELECT 'unique' AS item, place AS position, record, synthetic, columns, also AS records, combinations
FROM exposed_uniques(
  synthetic := synthetic, train := train, holdout := holdout, named_by := $named_by, scores := scores,
  show_values := $show_values
)

UNION ALL BY NAME

SELECT 'key' AS item, 'synthetic' AS side, shown.record, CAST(keys.key AS VARCHAR) AS key
FROM (
  SELECT record FROM riskiest(synthetic := synthetic, train := train, show_values := $show_values)
  UNION
  SELECT synthetic
  FROM most_exposed(
    synthetic := synthetic, train := train, holdout := holdout, named_by := $named_by, scores := scores,
    show_values := $show_values
  )
) AS shown
JOIN keys(relation := synthetic) AS keys ON keys.record = shown.record
WHERE $synthetic_key IS NOT NULL

UNION ALL BY NAME

SELECT 'key' AS item, 'train' AS side, shown.record, CAST(keys.key AS VARCHAR) AS key
FROM (
  SELECT neighbor AS record FROM riskiest(synthetic := synthetic, train := train, show_values := $show_values)
  UNION
  SELECT record
  FROM most_exposed(
    synthetic := synthetic, train := train, holdout := holdout, named_by := $named_by, scores := scores,
    show_values := $show_values
  )
) AS shown
JOIN keys(relation := train) AS keys ON keys.record = shown.record
WHERE $train_key IS NOT NULL
