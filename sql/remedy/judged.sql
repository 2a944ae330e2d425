/*
summary = "The sections of evaluate that decide the verdict, but for the control: what a search asks of each state."
options = ["attack.near", "attack.width", "attack.combinations", "attack.folds", "attack.hints", "distance", "unit", "sequence", "seed", "release", "spending", "internal.real_from"]
reads.units = ["synthetic", "train", "holdout"]
reads.common = true
part = true
run.sets = { lenient = true, judged_apart = true, most = 100_000, by_column = false, noted = false, released = "alone", released_of = ["each"] }
order = ["position", "variant", "place"]
tables = ["synthetic", "train", "holdout"]

[parameters]
attack = { type = "names", default = ["distance", "density", "agreement", "agreement_near", "uniques", "learned"], doc = "as in evaluate" }
named_by = { type = "names", default = ["uniques", "learned"], doc = "as in evaluate" }
false_discovery = { type = "number", default = 0.05, doc = "as in exposure" }
tolerance = { type = "number", default = 0.02, doc = "as in evaluate" }
scores = { type = "relation", optional = true, columns = ["score"], doc = "as in evaluate" }

[columns]
section = "VARCHAR"
metric = "VARCHAR"
variant = "VARCHAR"
statistic = "VARCHAR"
value = "DOUBLE"
lower = "DOUBLE"
upper = "DOUBLE"
better = "VARCHAR"
meaning = "VARCHAR"
*/
-- The control, whether the holdout is one, depends on real rows alone: a search asks it once.
WITH numbers AS (
  SELECT section, position, metric, variant, statistic, place, better, meaning, value, lower, upper
  FROM given_away(
    synthetic := synthetic, train := train, holdout := holdout, attack := $attack, named_by := $named_by,
    false_discovery := $false_discovery, scores := scores
  )
  UNION ALL
  SELECT * FROM evaluated_within(synthetic := synthetic, train := train, holdout := holdout)
  UNION ALL
  SELECT * FROM evaluated_replay(synthetic := synthetic, train := train, holdout := holdout)
  UNION ALL
  SELECT * FROM evaluated_near(synthetic := synthetic, train := train, holdout := holdout)
  UNION ALL
  SELECT * FROM evaluated_sets(synthetic := synthetic, train := train, holdout := holdout)
  UNION ALL
  SELECT * FROM evaluated_tables(synthetic := synthetic, train := train, holdout := holdout)
  UNION ALL
  SELECT * FROM evaluated_scope(synthetic := synthetic, tolerance := $tolerance)
  UNION ALL
  SELECT * FROM evaluated_holdout(train := train, holdout := holdout)
  UNION ALL
  SELECT * FROM evaluated_copies(synthetic := synthetic, train := train, holdout := holdout)
  UNION ALL
  SELECT * FROM evaluated_holdout_share(synthetic := synthetic, train := train, holdout := holdout)
)
SELECT section, position, metric, variant, statistic, place, value, lower, upper, better, meaning
FROM numbers
