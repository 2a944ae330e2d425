/*
summary = "How often what is true of one synthetic record alone is true of one real record alone, beside the same of people who were never in the data."
source = "Singling out: Cohen and Nissim, PNAS 117 (2020), and Giomi et al., PoPETs 2023; here all predicates of one column, and a control of equal size by the hypergeometric distribution; intervals: distances of Wilson intervals, propagated."
options = ["distance.exclude", "distance.numeric", "distance.categorical", "distance.key", "seed"]
compares = true
few = true
number = "rate"

[parameters]
synthetic = { type = "relation", doc = "the synthetic table" }
train = { type = "relation", doc = "the real rows that the synthesizer saw" }
holdout = { type = "relation", optional = true, doc = "real rows that it never saw: the control" }
predicates = { type = "integer", default = 500, minimum = 1, doc = "with several columns, how many predicates are asked at most, of 20 times as many that are drawn; of one column all are" }
columns = { type = "integer", default = 1, minimum = 1, own = true, doc = "columns of a predicate" }

[columns]
n = "BIGINT, predicates that are true of exactly one synthetic record: a value that occurs once, below the second smallest number, above the second largest; with several columns, a record's values in those that are drawn, of which one at least is not missing"
hits = "BIGINT, those that are true of exactly one train record"
rate = "DOUBLE, hits / n; where the holdout is smaller than train, what is expected of as many records of train as it has"
control = "DOUBLE, the same of the holdout, and where that is larger, of as many records of it as train has; NULL without a holdout, as all that follow"
risk = "DOUBLE, (rate - control) / (1 - control): what being in the data adds, of what there was to add"
lower = "DOUBLE, lower end of a 95 % interval of risk"
upper = "DOUBLE, upper end"
*/
WITH sizes AS (
  SELECT
    count(*) FILTER (WHERE side = 2) AS train_rows,
    count(*) FILTER (WHERE side = 3) AS holdout_rows
  FROM told_apart(synthetic := synthetic, train := train, holdout := holdout)
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
-- Of a sample as large as the smaller table, exactly one of the m records that a predicate is true of is in it: with the chance
-- m s / n times the product of (n - s - i + 1) / (n - i) for i from 1 to m - 1. Record numbers are the i.
chances AS (
  SELECT
    told.side,
    told.record + 1 AS matches,
    CAST(told.record + 1 AS DOUBLE) * of_side.sample / of_side."rows" * exp(
      sum(
        CASE WHEN told.record > 0 THEN ln(CAST(of_side."rows" - of_side.sample - told.record + 1 AS DOUBLE) / (of_side."rows" - told.record)) ELSE 0 END
      ) OVER (PARTITION BY told.side ORDER BY told.record)
    ) AS chance
  FROM told_apart(synthetic := synthetic, train := train, holdout := holdout) AS told
  JOIN (
    SELECT 2 AS side, train_rows AS "rows", holdout_rows AS sample FROM sizes WHERE holdout_rows < train_rows
    UNION ALL
    SELECT 3 AS side, holdout_rows AS "rows", train_rows AS sample FROM sizes WHERE train_rows < holdout_rows
  ) AS of_side ON of_side.side = told.side
  WHERE of_side.sample > 0 AND told.record <= of_side."rows" - of_side.sample
),
asked AS (
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
  FROM asked
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
