/*
summary = "DisclosureProtection of SDMetrics, with the CAP it is based on: how rarely an attacker who knows some columns infers others from synthetic."
source = """\
SDMetrics 0.32, single_table.privacy; CAP: Elliot 2014. Problems: the baseline guesses all values \
with the same probability, so a column with one frequent value looks disclosed by a table that contains no information \
about individuals; people who were never in the data may be disclosed as often, which is not measured. Use disclosure, \
which has pooled. GeneralizedCAP of one column is 1 - tie_fair_rate of attribute_inference with metric := 'hamming'."""
reads.groups = ["known", "sensitive"]
options = ["distance.numeric", "distance.categorical"]
run.few = true
gives.number = "score"
example = { synthetic = "synthetic", train = "train", known = ["city"], sensitive = ["n"], bins = 2, method = "zero_cap" }
tables = ["synthetic", "train"]

[parameters]
known = { type = "names", doc = "the columns that an attacker knows" }
sensitive = { type = "names", doc = "the columns that the attacker wants to learn, all at once" }
bins = { type = "integer", default = 0, minimum = 0, maximum = 500, doc = "the number of bins of equal width over the range in train that numeric columns are binned into, 10 in the tool for columns declared continuous; 0: no binning" }
method = { type = "text", default = "cap", choices = ["cap", "zero_cap"], doc = "cap leaves out people whose known values synthetic lacks, zero_cap counts them as protected" }

[columns]
score = "DOUBLE, cap_protection / baseline_protection, at most 1; NULL if the baseline is 0 or nobody is matched"
cap_protection = "DOUBLE, 1 - the mean share of synthetic records with a person's known values that have the sensitive ones too"
baseline_protection = "DOUBLE, 1 - 1 / the number of combinations of sensitive values"
*/
WITH edges AS (
  SELECT
    count(*) AS n,
    each(known_numeric, this_least := min(encoded_value(this_column))),
    each(known_numeric, this_range := max(encoded_value(this_column)) - min(encoded_value(this_column))),
    each(sensitive_numeric, this_least := min(encoded_value(this_column))),
    each(sensitive_numeric, this_range := max(encoded_value(this_column)) - min(encoded_value(this_column)))
  FROM train
),
records AS (
  SELECT 1 AS synthetic, each(known, encoded_value(this_column)), each(sensitive, encoded_value(this_column))
  FROM synthetic

  UNION ALL

  SELECT 0 AS synthetic, each(known, encoded_value(this_column)), each(sensitive, encoded_value(this_column))
  FROM train
),
-- A bin is open below and closed above.
coded AS (
  SELECT
    records.synthetic,
    each(known_categorical, records.this_column),
    each(sensitive_categorical, records.this_column),
    each(known_numeric,
      CASE
        WHEN $bins = 0 OR records.this_column IS NULL THEN records.this_column
        ELSE total(numbers(2, $bins),
          CASE WHEN records.this_column > (this_value - 1) * (edges.this_range / $bins) + edges.this_least THEN 1.0 ELSE 0.0 END
        )
      END
    ),
    each(sensitive_numeric,
      CASE
        WHEN $bins = 0 OR records.this_column IS NULL THEN records.this_column
        ELSE total(numbers(2, $bins),
          CASE WHEN records.this_column > (this_value - 1) * (edges.this_range / $bins) + edges.this_least THEN 1.0 ELSE 0.0 END
        )
      END
    )
  FROM records
  CROSS JOIN edges
),
cells AS (
  SELECT
    each(known, this_column),
    sum(1 - synthetic) AS in_train,
    sum(synthetic) AS in_synthetic,
    sum(sum(synthetic)) OVER (PARTITION BY each(known, this_column)) AS key_in_synthetic
  FROM coded
  GROUP BY each(known, this_column), each(sensitive, this_column)
),
attributed AS (
  SELECT
    1 - sum(CASE WHEN key_in_synthetic > 0 THEN CAST(in_train * in_synthetic AS DOUBLE) / key_in_synthetic END)
      / nullif(sum(CASE WHEN key_in_synthetic > 0 OR $method = 'zero_cap' THEN in_train END), 0) AS cap_protection
  FROM cells
),
sizes AS (
  SELECT this_position AS position, count(DISTINCT this_column) + max(CASE WHEN this_column IS NULL THEN 1 ELSE 0 END) AS values_
  FROM each_column(sensitive, coded)
  WHERE synthetic = 0
),
baselines AS (
  SELECT 1 - exp(-sum(ln(CAST(values_ AS DOUBLE)))) AS baseline_protection
  FROM sizes
)
SELECT
  CASE
    WHEN attributed.cap_protection > baselines.baseline_protection AND baselines.baseline_protection > 0 THEN 1.0
    ELSE attributed.cap_protection / nullif(baselines.baseline_protection, 0)
  END AS score,
  attributed.cap_protection,
  baselines.baseline_protection
FROM attributed
CROSS JOIN baselines
