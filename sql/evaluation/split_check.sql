/*
summary = "Is the holdout valid? Tests whether train and the holdout come from the same population: by each column, and by a classifier on all columns."
source = "Numbers and times: Kolmogorov and Smirnov; other columns: total variation, chi-squared; unseen values: Good, Biometrika 40 (1953); all columns together: the classifier of the attack learned, on the columns and distances between real rows, without synthetic ones."
options = ["attack.folds", "attack.most", "distance", "unit", "seed"]
reads.compares = true
reads.vectors = true
reads.units = ["train", "holdout"]
order = ["position"]
example = { train = "train", holdout = "holdout", synthetic = "synthetic", exclude = ["id"] }
tables = ["train", "holdout", "synthetic?"]

[parameters]
holdout = { doc = "real rows that it never saw, drawn as train was" }
synthetic = { doc = "the synthetic table: with it, columns are reported whose values mostly do not occur in real rows" }
children = { type = "families", optional = true, doc = "child tables by name, each as [synthetic, train, holdout, key]; a key visits.visit names children of the table visits. In turn: the parents alone, aggregates of their children (flatten), both, and the rows of the children; the first column, part, says which" }

[columns]
column_name = "VARCHAR; NULL in the last row, for all columns together"
statistic = "DOUBLE, 0 to 1: the distance between the holdout and train (numbers and times: Kolmogorov-Smirnov; others: total variation)"
p_value = "DOUBLE, the probability of a distance at least this large if both are drawn from the same population"
p_adjusted = "DOUBLE, the same, adjusted for testing all columns (Holm)"
unseen = "DOUBLE, the share of the holdout whose value does not occur in train"
expected_unseen = "DOUBLE, the share of train whose value no other row of train has; with unit, no other person"
auc = "DOUBLE, in the last row: the area under the ROC curve of a classifier of train and holdout, the control of attacks; NULL if there are too few records to learn from, or if it would let rows leave the database"
lower = "DOUBLE, lower end of its 95 % interval"
upper = "DOUBLE, upper end"
differs = "BOOLEAN, whether train and the holdout do not come from the same population (all columns: the lower end, in an interval wider by sqrt(2) since folds depend on each other, is above 0.51), or the column's values in synthetic are not those of real rows"
reason = "VARCHAR, the reason; NULL if nothing was found"
*/
WITH tested AS (
  SELECT
    names.name AS name,
    found.position AS position,
    found.statistic AS statistic,
    found.p_value AS p_value,
    found.unseen AS unseen,
    found.expected_unseen AS expected_unseen,
    found.invented AS invented,
    found.elsewhere AS elsewhere,
    (found.unseen + found.expected_unseen) / 2 AS pooled,
    CASE WHEN found.unseen > found.expected_unseen THEN found.unseen - found.expected_unseen ELSE 0.0 END AS surplus,
    1 / units.train_units + 1 / units.holdout_units AS parts,
    row_number() OVER (ORDER BY found.p_value, found.position) AS place,
    count(*) OVER () AS columns
  FROM split_columns(synthetic := synthetic, train := train, holdout := holdout) AS found
  JOIN names() AS names ON names.position = found.position
  CROSS JOIN split_units(synthetic := synthetic, train := train, holdout := holdout) AS units
),
adjusted AS (
  SELECT
    *,
    least(max(p_value * (columns - place + 1)) OVER (ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), 1.0) AS p_adjusted,
    -- Two proportions, one-sided.
    CASE WHEN pooled > 0 AND pooled < 1 THEN 0.5 * erfc(surplus / sqrt(2 * pooled * (1 - pooled) * parts)) ELSE 1.0 END
      AS unseen_p_value
  FROM tested
),
judged AS (
  SELECT
    *,
    CASE WHEN p_adjusted < 0.001 AND statistic >= 0.05 THEN 1 ELSE 0 END AS is_far,
    CASE WHEN surplus >= 0.05 AND unseen_p_value < 0.001 THEN 1 ELSE 0 END AS is_new,
    CASE WHEN invented > 0.5 AND unseen < 0.1 AND elsewhere > 0.5 THEN 1 ELSE 0 END AS is_other
  FROM adjusted
),
counted AS (
  SELECT
    count(*) AS columns,
    sum(CASE WHEN is_far + is_new > 0 THEN 1 ELSE 0 END) AS different,
    min(CASE WHEN is_far + is_new > 0 THEN position END) AS first_position,
    max(statistic) AS statistic,
    min(p_value) AS p_value,
    min(p_adjusted) AS p_adjusted
  FROM judged
)
SELECT
  judged.position,
  judged.name AS column_name,
  judged.statistic,
  judged.p_value,
  judged.p_adjusted,
  judged.unseen,
  judged.expected_unseen,
  CAST(NULL AS DOUBLE) AS auc,
  CAST(NULL AS DOUBLE) AS lower,
  CAST(NULL AS DOUBLE) AS upper,
  CAST(judged.is_far + judged.is_new + judged.is_other > 0 AS BOOLEAN) AS differs,
  CASE
    WHEN judged.is_new > 0 THEN
      percent_text(judged.unseen) || ' of the holdout''s values never occur in train, '
      || percent_text(judged.expected_unseen) || ' expected'
      || CASE
        WHEN judged.unseen > 0.9 AND judged.expected_unseen < 0.1 THEN '; does it say whose the rows are? Then name it as unit'
        ELSE ''
      END
    WHEN judged.is_far > 0 THEN 'train and holdout are ' || percent_text(judged.statistic) || ' apart'
    WHEN judged.is_other > 0 THEN
      percent_text(judged.invented) || ' of the values in synthetic occur in no real row: other units, spelling or blanks?'
  END AS reason
FROM judged

UNION ALL

SELECT
  counted.columns + 1 AS position,
  CAST(NULL AS VARCHAR) AS column_name,
  counted.statistic,
  counted.p_value,
  counted.p_adjusted,
  CAST(NULL AS DOUBLE) AS unseen,
  CAST(NULL AS DOUBLE) AS expected_unseen,
  control.auc,
  control.lower,
  control.upper,
  CAST(counted.different > 0 OR coalesce(control.differs, FALSE) AS BOOLEAN) AS differs,
  CASE
    WHEN counted.different > 0 THEN
      'train and holdout differ in ' || CAST(counted.different AS VARCHAR) || CASE WHEN counted.different = 1 THEN ' column' ELSE ' columns' END
      || ', the first of them ' || first.name
    WHEN control.differs THEN 'a classifier tells train from the holdout without synthetic'
  END AS reason
FROM counted
CROSS JOIN split_control(train := train, holdout := holdout, synthetic := synthetic) AS control
LEFT JOIN names() AS first ON first.position = counted.first_position
