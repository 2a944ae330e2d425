/*
summary = "Everything that the report page shows, in one statement, so that no search runs twice."
options = ["attack.near", "attack.width", "attack.combinations", "attack.folds", "attack.hints", "distance", "unit", "seed", "release", "types"]
units = ["train", "holdout"]
asks = ["disclosure", "anonymity", "attribute_inference", "linkability"]
part = true
order = ["item", "position", "metric", "variant", "lower"]
sets = { lenient = true, judged_apart = true, most = 100_000, controlled = true, noted = false, released = "alone", released_of = ["each"] }
common = true
asks_before = { identifiers = "identifiers", row_numbers = "numbering_columns" }
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
item = "VARCHAR: column, number, bin, class, curve, area, record, roc, top, risk, bits, limit, person, unique or key"
position = "BIGINT, order within an item; for a number as in evaluate, for a record its rank"
section = "VARCHAR; number: as in evaluate; column: its role"
metric = "VARCHAR; number and bin: as in evaluate; column: its name; unique: the columns whose values are unique together; risk: a column"
variant = "VARCHAR; number and bin: as in evaluate; class and key: synthetic or train; record: copy or near; risk: the group by its value"
statistic = "VARCHAR; number: as in evaluate; top: end where at_least is attained"
value = """DOUBLE; number; bin: the share of records; class: records; curve: accumulation; area: privacy; record: dcr; \
  column: weight; roc: true positive rate; top: people of train at the top of the list; \
  risk: the share who can be identified; bits: the share of records; \
  limit: the fewest bits at which agreement exposes a person; person: bits; \
  unique: synthetic records with the combination"""
lower = """DOUBLE; number; bin, bits and class: lower end; curve: theta; area: threshold; record: nndr; \
  roc: false positive rate; top: people of the holdout there; risk: the share of all others; person: q_value; \
  unique: number of combinations of this size"""
upper = """DOUBLE; number; bin, bits and class: upper end; area: resemblance; top: how many of train chance explains there; \
  risk: adjusted p-value; record: number of real records equal to it; person: the bits of an exact copy"""
better = "VARCHAR; number"
meaning = "VARCHAR; number: its meaning; key: the key of the record"
record = "BIGINT; record: its position in synthetic; person and unique: its position in train; risk: people"
neighbor = "BIGINT; record: the position in train of the nearest real record; person: the position of the responsible synthetic record; unique: that of the first with the combination"
agree = "BOOLEAN[]; record and person: for each column whether the two agree"
invented_values = "VARCHAR[]; record, with show_values: values of the synthetic record"
original_values = "VARCHAR[]; record, with show_values: values of the real one"
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
  SELECT 'synthetic' AS variant, lower, upper, records
  FROM class_sizes(classes := classes(data := synthetic))
  WHERE $quasi_identifiers IS NOT NULL

  UNION ALL

  SELECT 'train' AS variant, lower, upper, records
  FROM class_sizes(classes := classes(data := train))
  WHERE $quasi_identifiers IS NOT NULL
),
columns AS (
  SELECT this_position AS position, this_name AS name, this_role AS role, this_weight AS weight
  FROM each_column(compared)
)
SELECT
  'number' AS item, CAST(row_number() OVER (ORDER BY position, variant, place) AS BIGINT) AS position,
  section, metric, variant, statistic, value, lower, upper, better, meaning,
  CAST(NULL AS BIGINT) AS record, CAST(NULL AS BIGINT) AS neighbor,
  CAST(NULL AS BOOLEAN[]) AS agree, CAST(NULL AS VARCHAR[]) AS invented_values,
  CAST(NULL AS VARCHAR[]) AS original_values
FROM evaluate(
  synthetic := synthetic, train := train, holdout := holdout, quasi_identifiers := $quasi_identifiers, targets := $targets,
  sensitive := $sensitive, known := $known, secrets := $secrets, other := $other, risks := $risks, k := $k,
  threshold := $threshold, statistic := $statistic, normalizer := $normalizer, identifiers := $identifiers,
  attack := $attack, named_by := $named_by, false_discovery := $false_discovery, tolerance := $tolerance, scores := scores,
  sample := $sample
)

UNION ALL

SELECT
  'column', position, role, name, NULL, NULL, weight, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM columns

UNION ALL

SELECT
  'bin', 0, NULL, metric, comparison, NULL, share, lower, upper, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM bins(measured := measured)

UNION ALL

SELECT
  'class', 0, NULL, NULL, variant, NULL, records, lower, upper, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM class_sizes

UNION ALL

SELECT
  'curve', 0, NULL, NULL, NULL, NULL, accumulation, theta, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM mda_curve(a := synthetic, b := train, points := $points, normalizer := $normalizer)

UNION ALL

SELECT
  'area', 0, NULL, NULL, NULL, NULL, privacy, threshold, resemblance, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM mda(a := synthetic, b := train, threshold := $stops, normalizer := $normalizer)

UNION ALL

SELECT
  'record', place, NULL, NULL, CASE WHEN copies > 0 THEN 'copy' ELSE 'near' END, NULL, dcr, nndr, copies,
  NULL, NULL, record, neighbor, agree, invented_values, original_values
FROM riskiest(synthetic := synthetic, train := train, show_values := $show_values)

UNION ALL

SELECT
  'roc', 0, NULL, NULL, attack, NULL, true_positive_rate, false_positive_rate, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM true_positive_rates(
  roc := roc(
    scores := attack_scores(synthetic := synthetic, train := train, holdout := holdout, attack := $attack, scores := scores)
  ),
  rates := $rates
)
WHERE
  $holdout IS NOT NULL
  AND (SELECT is_enough FROM enough_of_all(synthetic := synthetic, train := train, holdout := holdout))

UNION ALL

SELECT
  'top', 0, NULL, NULL, attack, CASE WHEN is_end THEN 'end' END, listed, others, by_chance,
  NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM top_of_lists(
  roc := roc(
    scores := attack_scores(synthetic := synthetic, train := train, holdout := holdout, attack := $attack, scores := scores)
  )
)
WHERE $holdout IS NOT NULL

UNION ALL

SELECT
  'risk', CAST(place AS BIGINT), NULL, column_name, value, NULL, rate, rate_elsewhere, p_adjusted,
  NULL, NULL, people, NULL, NULL, NULL, NULL
FROM groups_at_risk(
  synthetic := synthetic, train := train, holdout := holdout, named_by := $named_by, false_discovery := $false_discovery,
  scores := scores
)
WHERE $holdout IS NOT NULL

UNION ALL

SELECT
  'bits', 0, NULL, NULL, comparison, NULL, share, lower, upper, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM bins(measured := bits, covered := 1.0)

UNION ALL

SELECT
  'limit', 0, NULL, NULL, NULL, NULL, min(score), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM exposures(synthetic := synthetic, train := train, holdout := holdout, attack := 'agreement')
WHERE $holdout IS NOT NULL AND q_value <= $false_discovery

UNION ALL

SELECT
  'person', place, NULL, NULL, NULL, NULL, score, q_value, own_bits,
  NULL, NULL, record, synthetic, agree, invented_values, original_values
FROM most_exposed(
  synthetic := synthetic, train := train, holdout := holdout, named_by := $named_by, scores := scores,
  show_values := $show_values
)

UNION ALL

SELECT
  'unique', place, NULL, columns, NULL, NULL, also, combinations, NULL,
  NULL, NULL, record, synthetic, NULL, NULL, NULL
FROM exposed_uniques(
  synthetic := synthetic, train := train, holdout := holdout, named_by := $named_by, scores := scores,
  show_values := $show_values
)

UNION ALL

SELECT
  'key', 0, NULL, NULL, 'synthetic', NULL, NULL, NULL, NULL, NULL, CAST(keys.key AS VARCHAR), shown.record,
  NULL, NULL, NULL, NULL
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

UNION ALL

SELECT
  'key', 0, NULL, NULL, 'train', NULL, NULL, NULL, NULL, NULL, CAST(keys.key AS VARCHAR), shown.record,
  NULL, NULL, NULL, NULL
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
