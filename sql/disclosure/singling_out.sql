/*
summary = "How often a predicate that matches exactly one synthetic record matches exactly one real record, compared with people who were not in the training data."
source = "Singling out: Cohen and Nissim, PNAS 117 (2020), and Giomi et al., PoPETs 2023; here all predicates on one column, and a control adjusted to equal size by the hypergeometric distribution; intervals: propagated from Wilson intervals."
options = ["distance.exclude", "distance.numeric", "distance.categorical", "distance.key", "seed"]
reads.compares = true
run.few = true
gives.number = "rate"
example = { synthetic = "synthetic", train = "train", holdout = "holdout", exclude = ["id"], columns = 2, predicates = 5, seed = 1 }
tables = ["synthetic", "train", "holdout?"]

[parameters]
holdout = { doc = "real rows that it never saw: the control" }
predicates = { type = "integer", default = 500, minimum = 1, doc = "with several columns: the maximum number of predicates that are tested, out of 20 times as many that are drawn; on one column all are tested" }
columns = { type = "integer", default = 1, minimum = 1, own = true, doc = "number of columns in a predicate" }

[columns]
n = "BIGINT, predicates that match exactly one synthetic record: a value that occurs once, less than the second smallest number, greater than the second largest; with several columns, a record's values in randomly drawn columns, at least one of them not missing"
hits = "BIGINT, predicates that also match exactly one train record"
rate = "DOUBLE, hits / n; if the holdout is smaller than train, the expected value for a sample of train of its size"
control = "DOUBLE, the same for the holdout or, if it is larger, for a sample of it of the size of train; NULL without a holdout, like all columns below"
risk = "DOUBLE, (rate - control) / (1 - control): the increase over the control as a share of the largest possible increase"
lower = "DOUBLE, lower end of a 95 % interval of risk"
upper = "DOUBLE, upper end"
*/
WITH sizes AS (
  SELECT
    count(*) FILTER (WHERE side = 2) AS train_rows,
    count(*) FILTER (WHERE side = 3) AS holdout_rows
  FROM stacked(synthetic := synthetic, train := train, holdout := holdout)
),
predicates AS (
  SELECT in_train, in_holdout
  FROM predicates_of_one(synthetic := synthetic, train := train, holdout := holdout)
  WHERE $columns = 1

  UNION ALL

  SELECT in_train, in_holdout
  FROM predicates_of_several(
    synthetic := synthetic, train := train, holdout := holdout, predicates := $predicates, of := $columns
  )
  WHERE $columns > 1
),
-- A sample of the smaller table's size s contains exactly one of the m matching records with probability m s / n times
-- the product of (n - s - i + 1) / (n - i) for i from 1 to m - 1. Record numbers serve as the i.
chances AS (
  SELECT
    numbered.side,
    numbered.record + 1 AS matches,
    CAST(numbered.record + 1 AS DOUBLE) * of_side.sample / of_side."rows" * exp(
      sum(
        CASE WHEN numbered.record > 0 THEN ln(CAST(of_side."rows" - of_side.sample - numbered.record + 1 AS DOUBLE) / (of_side."rows" - numbered.record)) ELSE 0 END
      ) OVER (PARTITION BY numbered.side ORDER BY numbered.record)
    ) AS chance
  FROM stacked(synthetic := synthetic, train := train, holdout := holdout) AS numbered
  JOIN (
    SELECT 2 AS side, train_rows AS "rows", holdout_rows AS sample FROM sizes WHERE holdout_rows < train_rows
    UNION ALL
    SELECT 3 AS side, holdout_rows AS "rows", train_rows AS sample FROM sizes WHERE train_rows < holdout_rows
  ) AS of_side ON of_side.side = numbered.side
  WHERE of_side.sample > 0 AND numbered.record <= of_side."rows" - of_side.sample
),
matched AS (
  SELECT
    CASE WHEN predicates.in_train = 1 THEN 1 ELSE 0 END AS hit,
    CASE
      WHEN sizes.holdout_rows > 0 AND sizes.holdout_rows < sizes.train_rows THEN coalesce(of_train.chance, 0.0)
      WHEN predicates.in_train = 1 THEN 1.0
      ELSE 0.0
    END AS in_train,
    CASE
      WHEN sizes.holdout_rows = 0 THEN NULL
      WHEN sizes.train_rows < sizes.holdout_rows THEN coalesce(of_holdout.chance, 0.0)
      WHEN predicates.in_holdout = 1 THEN 1.0
      ELSE 0.0
    END AS in_holdout
  FROM predicates
  CROSS JOIN sizes
  LEFT JOIN chances AS of_train ON of_train.side = 2 AND of_train.matches = predicates.in_train
  LEFT JOIN chances AS of_holdout ON of_holdout.side = 3 AND of_holdout.matches = predicates.in_holdout
),
shares AS (
  SELECT
    count(*) AS n,
    CAST(coalesce(sum(hit), 0) AS BIGINT) AS hits,
    exact_mean(in_train) AS rate,
    exact_mean(in_holdout) AS control
  FROM matched
)
SELECT
  n,
  hits,
  rate,
  control,
  residual(rate, control) AS risk,
  residual_end(rate, n, control, n, -1) AS lower,
  residual_end(rate, n, control, n, 1) AS upper
FROM shares
WHERE (SELECT problems FROM infinite_values(relation := train)) = 0
  AND (SELECT problems FROM infinite_values(relation := synthetic)) = 0
  AND ($holdout IS NULL OR (SELECT problems FROM infinite_values(relation := holdout)) = 0)
