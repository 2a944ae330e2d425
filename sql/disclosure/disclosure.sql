/*
summary = "What a synthetic table discloses through groups of records: replicated uniques and targets that follow from quasi-identifiers, compared with people who were not in the training data."
source = "repU and DiSCO: Raab, Nowok and Dibben, arXiv 2406.16826; correct attribution probability: Elliot 2014; interval of the excess: Newcombe, Statistics in Medicine 17 (1998)."
reads.groups = ["targets", "quasi_identifiers"]
reads.rest = "targets"
order = ["position", "place"]
run.few = true
example = { synthetic = "synthetic", train = "train", quasi_identifiers = ["city"], targets = ["n", "id"], bins = 3 }
tables = ["synthetic", "train"]

[parameters]
quasi_identifiers = { type = "names", doc = "the columns that an attacker knows of a person" }
targets = { type = "names", optional = true, doc = "the columns that the attacker wants to learn; by default all others" }
holdout = { type = "relation", optional = true, doc = "real rows that it never saw: the control. Numbers of uniques depend on the number of rows, so it should have as many as train" }
bins = { type = "integer", default = 10, minimum = 0, doc = "the number of groups, with equally many train records each, that numeric targets are binned into; 0: no binning" }

[columns]
target = "VARCHAR; NULL for measures of the quasi-identifiers alone"
measure = "VARCHAR: unique_real, replicated_uniques, keys_in_synthetic; for a target attributable_real, attributable_synthetic, disclosive_in_synthetic, correct_disclosures, DiSDiO, baseline, CAPd, CAPs, DCAP, TCAP"
value = "DOUBLE, a share of the records of train (attributable_synthetic, CAPs: of synthetic; TCAP: of the records that disclosive_in_synthetic counts)"
holdout = "DOUBLE, the same with holdout in place of train; NULL without one, and for measures of synthetic alone"
excess = "DOUBLE, value - holdout: what is disclosed about people because they were in the training data"
lower = "DOUBLE, lower end of a 95 % interval of the excess"
upper = "DOUBLE, upper end"
*/
WITH columns AS (
  SELECT this_position AS position, this_name AS target
  FROM each_column(compared)
),
measures AS (
  SELECT 'unique_real' AS measure, 1 AS place, 0 AS is_of_target
  UNION ALL SELECT 'replicated_uniques', 2, 0
  UNION ALL SELECT 'keys_in_synthetic', 3, 0
  UNION ALL SELECT 'attributable_real', 4, 1
  UNION ALL SELECT 'attributable_synthetic', 5, 1
  UNION ALL SELECT 'disclosive_in_synthetic', 6, 1
  UNION ALL SELECT 'correct_disclosures', 7, 1
  UNION ALL SELECT 'DiSDiO', 8, 1
  UNION ALL SELECT 'baseline', 9, 1
  UNION ALL SELECT 'CAPd', 10, 1
  UNION ALL SELECT 'CAPs', 11, 1
  UNION ALL SELECT 'DCAP', 12, 1
  UNION ALL SELECT 'TCAP', 13, 1
),
listed AS (
  SELECT -1 AS position, CAST(NULL AS VARCHAR) AS target, measure, place
  FROM measures
  WHERE is_of_target = 0

  UNION ALL

  SELECT columns.position, columns.target, measures.measure, measures.place
  FROM columns
  CROSS JOIN measures
  WHERE measures.is_of_target = 1
),
-- One row for each target, measure, and side (train and holdout).
measured AS (
  SELECT
    sums.side,
    CASE WHEN measures.is_of_target = 1 THEN sums.position ELSE -1 END AS position,
    measures.measure,
    CASE measures.measure WHEN 'TCAP' THEN sums.disclosive ELSE sums.real_rows END AS n,
    CASE measures.measure
      WHEN 'unique_real' THEN CAST(sums.uniques AS DOUBLE) / nullif(sums.real_rows, 0)
      WHEN 'replicated_uniques' THEN CAST(sums.replicated AS DOUBLE) / nullif(sums.real_rows, 0)
      WHEN 'keys_in_synthetic' THEN CAST(sums.in_synthetic AS DOUBLE) / nullif(sums.real_rows, 0)
      WHEN 'attributable_real' THEN CAST(sums.attributable AS DOUBLE) / nullif(sums.real_rows, 0)
      WHEN 'attributable_synthetic' THEN CAST(sums.attributable_synthetic AS DOUBLE) / nullif(sums.synthetic_rows, 0)
      WHEN 'disclosive_in_synthetic' THEN CAST(sums.disclosive AS DOUBLE) / nullif(sums.real_rows, 0)
      WHEN 'correct_disclosures' THEN CAST(sums.correct AS DOUBLE) / nullif(sums.real_rows, 0)
      WHEN 'DiSDiO' THEN CAST(sums.correct_in_both AS DOUBLE) / nullif(sums.real_rows, 0)
      WHEN 'baseline' THEN CAST(sums.same_value AS DOUBLE) / nullif(CAST(sums.real_rows AS DOUBLE) * sums.real_rows, 0)
      WHEN 'CAPd' THEN sums.cap_real
      WHEN 'CAPs' THEN sums.cap_synthetic
      WHEN 'DCAP' THEN sums.cap
      ELSE CAST(sums.correct AS DOUBLE) / nullif(sums.disclosive, 0)
    END AS value
  FROM disclosure_sums(synthetic := synthetic, train := train, holdout := holdout, bins := $bins) AS sums
  CROSS JOIN measures
  -- Measures of the quasi-identifiers alone are the same for all targets.
  WHERE measures.is_of_target = 1 OR sums.position = 0
),
beside AS (
  SELECT
    position,
    measure,
    max(CASE WHEN side = 'train' THEN value END) AS value,
    max(CASE WHEN side = 'train' THEN n END) AS n,
    max(CASE WHEN side = 'holdout' AND measure NOT IN ('attributable_synthetic', 'CAPs') THEN value END) AS control,
    max(CASE WHEN side = 'holdout' THEN n END) AS control_n
  FROM measured
  GROUP BY position, measure
)
SELECT
  listed.position,
  listed.place,
  listed.target,
  listed.measure,
  beside.value,
  beside.control AS holdout,
  beside.value - beside.control AS excess,
  difference_end(beside.value, beside.n, beside.control, beside.control_n, -1) AS lower,
  difference_end(beside.value, beside.n, beside.control, beside.control_n, 1) AS upper
FROM listed
LEFT JOIN beside ON beside.position = listed.position AND beside.measure = listed.measure
